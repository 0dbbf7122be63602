import { ellipsis, firstLine } from '../text.ts';

const codePoints = 80;

/** A title for a task: the first meaningful line of its prompt. Code fences are skipped, heading marks removed. */
export function makeTitle(prompt: string, otherwise: string): string {
  const text = prompt.replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, '').replace(/^ {0,3}#{1,6} /gm, '');
  return ellipsis(firstLine(text) || otherwise, codePoints);
}
