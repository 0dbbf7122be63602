import type { Annotation, AnnotationLevel, LogLine } from './log-line.ts';
import type { SecretMasker } from './secret-masker.ts';

/** GitHub keeps this many annotations of each level a step, and this much of a message. */
const annotationsPerLevel = 10;
const annotationMessageLength = 4096;

interface StepLogOptions {
  readonly masker: SecretMasker;
  /** Whether debug lines are shown, as with the secret ACTIONS_STEP_DEBUG. */
  readonly debug: boolean;
  readonly onLine?: ((line: LogLine) => void) | undefined;
}

/** The log of one step as it grows. Lines are masked on arrival, so a later mask does not change them. */
export class StepLog {
  readonly lines: LogLine[] = [];
  readonly annotations: Annotation[] = [];
  readonly #options: StepLogOptions;
  #failed = false;

  constructor(options: StepLogOptions) {
    this.#options = options;
  }

  /** Whether a log command or a command file failed the step, regardless of its exit code. */
  get failed(): boolean {
    return this.#failed;
  }

  show(line: LogLine): void {
    const masked = { ...line, text: this.#options.masker.mask(line.text) };
    this.lines.push(masked);
    this.#options.onLine?.(masked);
  }

  /** Adds the runner's own output, line by line. */
  say(text: string): void {
    for (const line of text.split(/\r\n|\r|\n/)) this.show({ kind: 'text', text: line, source: 'runner' });
  }

  debug(text: string): void {
    if (!this.#options.debug) return;
    for (const line of text.split(/\r\n|\n/)) this.show({ kind: 'debug', text: line, source: 'runner' });
  }

  openGroup(title: string): void {
    this.show({ kind: 'group', text: title, source: 'runner' });
  }

  closeGroup(): void {
    this.show({ kind: 'endgroup', text: '', source: 'runner' });
  }

  annotate(level: AnnotationLevel, message: string, place: Omit<Annotation, 'level' | 'message'> = {}): void {
    const masked = this.#options.masker.mask(message).slice(0, annotationMessageLength);
    const sofar = this.annotations.filter(annotation => annotation.level === level).length;
    if (sofar < annotationsPerLevel) this.annotations.push({ level, message: masked, ...place });
    if (masked !== '') this.show({ kind: level, text: masked, source: 'runner' });
  }

  /** Adds an error that fails the step. */
  fail(message: string): void {
    this.annotate('error', message);
    this.#failed = true;
  }
}
