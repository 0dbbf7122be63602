import { firstLine } from './text.ts';

/** What a task is about in a line: the first one that says something, not the bar of a fence, and a heading without its marks. '' when there is none. */
export function titleOfPrompt(prompt: string): string {
  return firstLine(prompt.replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, '').replace(/^ {0,3}#{1,6} /gm, ''));
}
