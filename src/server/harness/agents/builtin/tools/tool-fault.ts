/** A tool could not do what the model asked. The model gets the message and may try something else. */
import { messageOf } from '../../../../../base/cause.ts';

export class ToolFault extends Error {
  override readonly name = 'ToolFault';
  /** Output of a command for people, who see the exit code separately. */
  readonly exit: { readonly output: string; readonly exit_code: number } | undefined;

  constructor(message: string, exit?: ToolFault['exit']) {
    super(message);
    this.exit = exit;
  }
}

const systemWords: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'has a parent that is not a folder',
  EACCES: 'cannot be accessed (no permission)',
  EPERM: 'cannot be accessed (no permission)',
  ELOOP: 'is a symlink loop',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'does not fit on the disk',
};

/** A system error about a path, in words. */
export function explainPath(error: unknown, path: string): ToolFault {
  if (error instanceof ToolFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = systemWords[code] ?? `cannot be used (${messageOf(error)})`;
  return new ToolFault(`${path} ${words}`);
}
