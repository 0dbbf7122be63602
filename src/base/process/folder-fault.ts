import { explainCode } from '../cause.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user cannot write to it',
  EPERM: 'this user cannot write to it',
  EROFS: 'its file system is read-only',
  ENOENT: 'a folder cannot be created there',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'part of its path is a broken link',
  ENOSPC: 'the disk is full',
};

/** Why a folder cannot be used, in words. */
export function explainFolder(error: unknown): string {
  return explainCode(error, reasons);
}
