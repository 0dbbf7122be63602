import type { Conclusion } from '../../verdict/verdict.ts';

export const icons: Readonly<Record<Conclusion, string>> = {
  succeeded: '✅',
  started: '🚀',
  blocked: '⏸️',
  skipped: '⏭️',
  cancelled: '🚫',
  timed_out: '⏱️',
  failed: '❌',
  rejected: '❌',
  lost: '❌',
  start_failed: '❌',
};
