import { guardLine } from '../text/guard.ts';
import { printCommand } from './log-commands.ts';

export type AnnotationKind = 'warning' | 'error';

/** GitHub shows ten of a kind for a step and drops the rest without a word; the tenth says how many there are. */
const annotationsMax = 9;

export interface Annotations {
  add(kind: AnnotationKind, message: string): void;
  /** Says of each kind how many were not shown. Once, when nothing more comes. */
  finish(): void;
}

/** Annotations by `print`, which takes one line; those that are too many are plain lines of the log. */
export function createAnnotations(print: (line: string) => void): Annotations {
  const counts = new Map<AnnotationKind, number>();
  return {
    add(kind, message) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      print(count <= annotationsMax ? printCommand(kind, message) : plainNote(kind, message));
    },
    finish() {
      for (const [kind, count] of counts)
        if (count > annotationsMax) print(printCommand(kind, `${count - annotationsMax} more, see the log`));
      counts.clear();
    },
  };
}

/** The same as a line that the runner only shows. */
export function plainNote(kind: AnnotationKind, message: string): string {
  return guardLine(`${kind}: ${message}`);
}
