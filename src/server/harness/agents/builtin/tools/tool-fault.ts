/** A tool could not do what the model asked: told to the model, which may try something else. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

const systemWords: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder',
  ENOTDIR: 'leads through something that is no folder',
  EACCES: 'may not be touched (no permission)',
  EPERM: 'may not be touched (no permission)',
  ELOOP: 'is a link that leads in a circle',
  ENAMETOOLONG: 'is too long a name',
  ENOSPC: 'does not fit on the disk',
};

/** What the system says of a path, in words. */
export function explainPath(error: unknown, path: string): ToolFault {
  if (error instanceof ToolFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = systemWords[code] ?? `cannot be used (${error instanceof Error ? error.message : String(error)})`;
  return new ToolFault(`${path} ${words}`);
}
