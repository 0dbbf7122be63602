import * as toolkit from '@actions/core';
import { logLine } from '../../border/log-text.ts';
import { keepHead } from '../text/budget.ts';

export type AnnotationKind = 'warning' | 'error';

/** GitHub shows ten of a kind for a step and drops the rest without a word; the tenth says how many there are. */
const annotationsMax = 9;

export interface Annotations {
  /** Returns the line that is shown. */
  add(kind: AnnotationKind, message: string): string;
  /** From here on what would be an annotation is a line in the log. */
  leaveOut(): void;
  /** Says of each kind how many were not shown. Once, when nothing more comes. */
  finish(): void;
}

/** Annotations of the step; those beyond GitHub's limit are lines in the log. */
export function createAnnotations(show: Pick<typeof toolkit, AnnotationKind | 'info'> = toolkit): Annotations {
  const counts = new Map<AnnotationKind, number>();
  let annotates = true;
  return {
    add(kind, given) {
      const message = logNote(given);
      const count = (counts.get(kind) ?? 0) + 1;
      if (annotates) counts.set(kind, count);
      if (annotates && count <= annotationsMax) show[kind](message);
      else show.info(`${kind}: ${message}`);
      return message;
    },
    leaveOut() {
      annotates = false;
    },
    finish() {
      for (const [kind, count] of counts)
        if (count > annotationsMax) show[kind](`${count - annotationsMax} more, see the log`);
      counts.clear();
    },
  };
}

/** A line for an annotation, which may hold words of others of any length. */
export function logNote(text: string): string {
  return logLine(keepHead(text, { surface: 'annotation' }));
}
