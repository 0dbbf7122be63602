/** One entry of a step's log, with secrets hidden. */
export interface LogLine {
  /** `text` is what the program printed; the others come from log commands or from the runner itself. */
  readonly kind: 'text' | 'debug' | 'notice' | 'warning' | 'error' | 'group' | 'endgroup';
  /** Without the `##[kind]` that the raw log has. Several lines only where an annotation has them. */
  readonly text: string;
  readonly source: 'stdout' | 'stderr' | 'runner';
}

export type AnnotationLevel = 'notice' | 'warning' | 'error';

/** A note that GitHub shows above the log. */
export interface Annotation {
  readonly level: AnnotationLevel;
  /** With secrets hidden, cut at 4096 characters. */
  readonly message: string;
  readonly title?: string;
  /** Relative to the workspace where it lies inside. */
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly column?: number;
  readonly endColumn?: number;
}
