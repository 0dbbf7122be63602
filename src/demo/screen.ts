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
  const paint = (code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    title: text => console.log(`\n${paint(1, `== ${text} ==`)}`),
    say: text => console.log(text),
    show: line => console.log(`  ${line}`),
    fact: (isTrue, text) => console.log(`${isTrue ? paint(32, 'yes') : paint(31, 'NO ')}  ${text}`),
  };
}
