import { isObject } from '../json.ts';

/** Words for an artifact of any kind. Every text may come from an untrusted source. */
export interface ArtifactWords {
  /** `file`, `pull request`. */
  readonly kind: string;
  /** The display name: the path of a file, or the title or address of a remote artifact. */
  readonly name: string;
  /** The address of a remote artifact. */
  readonly url: string | undefined;
  /** The id for downloading a file. */
  readonly fileUid: string | undefined;
  /** Size, branch and description, unless the name contains them. */
  readonly details: readonly string[];
}

/** Servers of other versions may send other types or nothing. */
export function describeArtifact(artifact: {
  readonly artifact_type?: unknown;
  readonly data?: unknown;
}): ArtifactWords {
  const type = String(artifact.artifact_type ?? 'thing');
  const data = isObject(artifact.data) ? artifact.data : {};
  const read = (...names: readonly string[]) => names.map(name => textOf(data[name])).find(text => text !== undefined);
  const word = type.toLowerCase().replaceAll('_', ' ');
  const url = read('url');
  const name = read('title', 'filepath', 'filename') ?? url ?? read('description', 'reference_type') ?? word;
  const size = type === 'FILE' && typeof data.size_bytes === 'number' ? [printBytes(data.size_bytes)] : [];
  // The path of a step's copy; null if it has none.
  const copy = data.path === null ? 'not kept' : read('path');
  const more = [read('branch'), read('description'), read('title') === undefined ? undefined : read('filepath'), copy];
  return {
    kind: type === 'EXTERNAL_REFERENCE' ? (read('reference_type') ?? word) : word,
    name,
    url,
    fileUid: type === 'FILE' ? read('artifact_uid') : undefined,
    details: [...size, ...new Set(more.filter(text => text !== undefined && text !== name))] as readonly string[],
  };
}

/** `file: report.html, 1.2 KB`, in one line. */
export function printArtifact(artifact: Parameters<typeof describeArtifact>[0]): string {
  const { kind, name, url, details } = describeArtifact(artifact);
  const address = url === undefined || url === name ? [] : [url];
  return [`${kind}: ${name}`, ...address, ...details].join(', ').replace(/\s+/g, ' ');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const units = ['bytes', 'KB', 'MB', 'GB'] as const;

/** `812 bytes`, `1.5 KB`; 1 KB is 1000 bytes. */
export function printBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const shown = unit === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${shown} ${units[unit]}`;
}
