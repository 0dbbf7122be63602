import { styleText } from 'node:util';
import { terminalText } from '../../border/terminal-text.ts';
import type { LogLine } from './log-line.ts';

export interface RenderOptions {
  /** Colours as in GitHub's own view, and those that the program printed. @default false */
  readonly color?: boolean | undefined;
}

type Renderer = (line: LogLine) => string | undefined;

/**
 * Shows lines one by one, as they come, the way GitHub's page shows an opened log: groups with a mark and their lines indented,
 * `Warning:` and `Error:` in front. undefined is a line that leaves nothing to see. What would move the cursor or retitle the
 * window is taken out.
 */
export function createLogRenderer(options: RenderOptions = {}): Renderer {
  const color = options.color ?? false;
  let isGrouped = false;
  return line => {
    if (line.kind === 'endgroup') {
      isGrouped = false;
      return undefined;
    }
    // GitHub's groups do not nest: another one ends the one before.
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

/** A page does not draw over a line. */
function dropControls(text: string): string {
  return terminalText(text.replaceAll('\r', ''));
}

/** Colour sequences stay and are switched off at the end; everything between them is cleaned. */
function keepColors(text: string): string {
  const parts = text.split(colorSequence);
  const cleaned = parts.map((part, index) => (index % 2 === 1 ? part : dropControls(part))).join('');
  return parts.length > 1 ? `${cleaned}${colorsOff}` : cleaned;
}

const colorsOff = `${String.fromCharCode(27)}[0m`;
// In parentheses, so that split() keeps what it splits at, at every odd place.
const colorSequence = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);
