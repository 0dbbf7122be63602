import { styleText } from 'node:util';

/** Output of the demo. Colors only in a terminal. */
export interface Screen {
  title(text: string): void;
  /** A sentence to the reader. */
  say(text: string): void;
  /** A quoted line: of a log, a file, an output. */
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
