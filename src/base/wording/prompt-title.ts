import { ellipsis, firstLine } from '../text.ts';

const codePoints = 80;

/** What a task is about in a line: the first one of the prompt that says something, not the bar of a fence, and a heading without its marks. */
export function makeTitle(prompt: string, otherwise: string): string {
  const text = prompt.replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, '').replace(/^ {0,3}#{1,6} /gm, '');
  return ellipsis(firstLine(text) || otherwise, codePoints);
}
