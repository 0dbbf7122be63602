import { styleText } from 'node:util';
import { terminalText } from '../../border/terminal-text.ts';
import type { LogLine } from './log-line.ts';

export interface RenderOptions {
  /** Colors as in GitHub's own view, and those that the program printed. @default false */
  readonly color?: boolean | undefined;
}

type Renderer = (line: LogLine) => string | undefined;

/**
 * Shows lines one by one, like an opened log on GitHub's page: groups with a mark and indented lines, `Warning:` and
 * `Error:` in front. Returns undefined for a line that is not visible. Removes sequences that move the cursor or set
 * the window's title.
 */
export function createLogRenderer(options: RenderOptions = {}): Renderer {
  const color = options.color ?? false;
  let isGrouped = false;
  return line => {
    if (line.kind === 'endgroup') {
      isGrouped = false;
      return undefined;
    }
    // GitHub's groups do not nest: a new one ends the one before.
    const indent = isGrouped && line.kind !== 'group' ? '  ' : '';
    if (line.kind === 'group') isGrouped = true;
    const text = prefixes[line.kind] + (color ? keepColors(line.text) : dropControls(line.text));
    const shown = text
      .split('\n')
      .map(part => indent + part)
      .join('\n');
    const style = styles[line.kind];
    return color && style !== undefined ? styleText(style, shown, { validateStream: false }) : shown;
  };
}

/** The whole log as text, each line with its line break. */
export function renderLog(lines: readonly LogLine[], options: RenderOptions = {}): string {
  const render = createLogRenderer(options);
  return lines
    .map(line => render(line))
    .filter(line => line !== undefined)
    .map(line => `${line}\n`)
    .join('');
}

type ShownKind = Exclude<LogLine['kind'], 'endgroup'>;
const prefixes: Readonly<Record<ShownKind, string>> = {
  text: '',
  debug: 'Debug: ',
  notice: 'Notice: ',
  warning: 'Warning: ',
  error: 'Error: ',
  group: '▾ ',
};
const styles: Readonly<Partial<Record<ShownKind, 'magenta' | 'blue' | 'yellow' | 'red' | 'bold'>>> = {
  debug: 'magenta',
  notice: 'blue',
  warning: 'yellow',
  error: 'red',
  group: 'bold',
};

/** A page does not overwrite a line. */
function dropControls(text: string): string {
  return terminalText(text.replaceAll('\r', ''));
}

/** Color sequences stay and are reset at the end. Text between them is stripped of other sequences. */
function keepColors(text: string): string {
  const parts = text.split(colorSequence);
  const cleaned = parts.map((part, index) => (index % 2 === 1 ? part : dropControls(part))).join('');
  return parts.length > 1 ? `${cleaned}${colorsOff}` : cleaned;
}

const colorsOff = `${String.fromCharCode(27)}[0m`;
// With the capturing group, split() returns the separators at odd indexes.
const colorSequence = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);
