import { ellipsis } from '../base/text.ts';
import { terminalLine, terminalText } from '../border/terminal-text.ts';
import type { RunEvent } from '../contract/events.ts';

const columns = 120;
const linesMax = 8;

/** An event of a run as lines for people. Empty for events without news. */
export function printEvent(event: RunEvent): readonly string[] {
  switch (event.type) {
    case 'state':
      return [`state: ${event.data.state}`];
    case 'message':
      return printText('agent: ', String(event.data.text));
    case 'tool_call':
      return [cut(`tool: ${event.data.name} ${JSON.stringify(event.data.input)}`)];
    case 'tool_result': {
      const { output } = event.data;
      return printText('  │ ', typeof output === 'string' ? output : JSON.stringify(output));
    }
    case 'log':
      // Skips notes of programs on standard error.
      return event.data.stream === 'system' ? printText('log: ', String(event.data.text)) : [];
    default:
      return [];
  }
}

/** The first lines of a text, each after the same mark. Empty for an empty text. */
export function printText(mark: string, text: string): readonly string[] {
  if (text.trim() === '') return [];
  const lines = terminalText(text).trimEnd().split('\n');
  const shown = lines.slice(0, linesMax).map(line => cut(`${mark}${line}`));
  return lines.length <= linesMax ? shown : [...shown, `${mark}… ${lines.length - linesMax} more lines`];
}

function cut(line: string): string {
  return ellipsis(terminalLine(line), columns);
}
