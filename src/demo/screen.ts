import { styleText } from 'node:util';

/** What the demo prints. Colours only where a person looks. */
export interface Screen {
  title(text: string): void;
  /** A sentence to the reader. */
  say(text: string): void;
  /** A line of something shown: a log, a file, an output. */
  show(line: string): void;
  fact(isTrue: boolean, text: string): void;
}

export function createScreen(color: boolean): Screen {
  const paint = (style: 'bold' | 'green' | 'red', text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  return {
    title: text => console.log(`\n${paint('bold', `== ${text} ==`)}`),
    say: text => console.log(text),
    show: line => console.log(`  ${line}`),
    fact: (isTrue, text) => console.log(`${isTrue ? paint('green', 'yes') : paint('red', 'NO ')}  ${text}`),
  };
}
