/**
 * Every process of a run carries this variable in its environment: `<server id>/<run id>`. Children inherit it, also those that leave
 * their session, their process group and their parent, so that /proc tells whose they are.
 */
export const markerVariable = 'AGENT_RUN_MARKER';

/** What marks the processes of one run, or, without a run id, of every run of a server. */
export interface Marker {
  readonly serverId: string;
  readonly runId?: string;
}

/** The value of the variable. Throws RangeError for an id that could be taken for another one. */
export function printMarker({ serverId, runId }: Required<Marker>): string {
  for (const id of [serverId, runId])
    if (!/^[\w.-]+$/.test(id)) throw new RangeError(`${JSON.stringify(id)} cannot mark a process`);
  return `${serverId}/${runId}`;
}

/** Answers whether an environment, as /proc shows it, has one of the markers: the whole value for a run, its beginning for a server. */
export function createMarkerTest(markers: readonly Marker[]): (environ: string) => boolean {
  const wanted = markers.map(({ serverId, runId }) => {
    const start = `\0${markerVariable}=${serverId}/`;
    return runId === undefined ? start : `${start}${runId}\0`;
  });
  return environ => wanted.some(text => `\0${environ}\0`.includes(text));
}
