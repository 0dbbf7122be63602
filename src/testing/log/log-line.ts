/** One entry of a step's log, with secrets masked. */
export interface LogLine {
  /** `text` is output of the program. The others come from log commands or from the runner itself. */
  readonly kind: 'text' | 'debug' | 'notice' | 'warning' | 'error' | 'group' | 'endgroup';
  /** Without the `##[kind]` of the raw log. Only annotations have several lines. */
  readonly text: string;
  readonly source: 'stdout' | 'stderr' | 'runner';
}

export type AnnotationLevel = 'notice' | 'warning' | 'error';

/** A note that GitHub shows above the log. */
export interface Annotation {
  readonly level: AnnotationLevel;
  /** With secrets masked, cut at 4096 characters. */
  readonly message: string;
  readonly title?: string;
  /** Relative to the workspace if the file is inside. */
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly column?: number;
  readonly endColumn?: number;
}
