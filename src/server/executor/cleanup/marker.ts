/**
 * Every process of a run has this variable in its environment: `<server id>/<run id>`. Children inherit it, even if
 * they leave their session, process group and parent. So /proc shows their run.
 */
export const markerVariable = 'AGENT_RUN_MARKER';

/** Marks the processes of one run or, without a run id, of every run of a server. */
export interface Marker {
  readonly serverId: string;
  readonly runId?: string;
}

/**
 * Prints the variable's value. Without a run id it marks a process that waits for a run. Throws RangeError for an id
 * that could be confused with another one.
 */
export function printMarker({ serverId, runId }: Marker): string {
  for (const id of [serverId, runId ?? 'none'])
    if (!/^[\w.-]+$/.test(id)) throw new RangeError(`${JSON.stringify(id)} cannot mark a process`);
  return runId === undefined ? serverId : `${serverId}/${runId}`;
}

/** Tests an environment from /proc for one of the markers: the whole value for a run, its start for a server. */
export function createMarkerTest(markers: readonly Marker[]): (environ: string) => boolean {
  const wanted = markers.flatMap(({ serverId, runId }) => {
    const start = `\0${markerVariable}=${serverId}`;
    return runId === undefined ? [`${start}/`, `${start}\0`] : [`${start}/${runId}\0`];
  });
  return environ => wanted.some(text => `\0${environ}\0`.includes(text));
}
