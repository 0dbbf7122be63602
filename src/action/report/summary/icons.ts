import type { Conclusion } from '../../verdict/verdict.ts';

/** Icons of the conclusions, for summary and comment. */
export const icons: Readonly<Record<Conclusion, string>> = {
  succeeded: '✅',
  started: '🚀',
  blocked: '⏸️',
  skipped: '⏭️',
  cancelled: '🚫',
  timed_out: '⏱️',
  failed: '❌',
  lost: '❌',
  start_failed: '❌',
};
