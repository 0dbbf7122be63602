import * as toolkit from '@actions/core';
import { logLine } from '../../border/log-text.ts';
import { keepHead } from '../text/budget.ts';

export type AnnotationKind = 'warning' | 'error';

/** GitHub shows ten of a kind per step and silently drops the rest. The tenth says how many were left out. */
const annotationsMax = 9;

export interface Annotations {
  /** Returns the line that is shown. */
  add(kind: AnnotationKind, message: string): string;
  /** Prints later annotations as log lines. */
  leaveOut(): void;
  /** Tells how many of each kind were not shown. Called once, at the end. */
  finish(): void;
}

/** The step's annotations. Those beyond GitHub's limit become log lines. */
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

/** Formats a line for an annotation, which may contain foreign text of any length. */
export function logNote(text: string): string {
  return logLine(keepHead(text, { surface: 'annotation' }));
}
