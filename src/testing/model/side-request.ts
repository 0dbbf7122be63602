import type { ModelQuestion } from './model-request.ts';
import { createValue } from './script/schema-filling.ts';

/** How programs begin the instructions of what they ask for themselves: opencode's titles, the routing of Gemini CLI between models. */
const openings = [/^\s*You are a title generator\b/, /^\s*You are a specialized Task Routing AI\b/];
/** The question of Gemini CLI who speaks next, which goes with the usual instructions. */
const question = /^Analyze \*only\* the content and structure of your immediately preceding response\b/;

/** Probes of a quota, titles, choices of a model: these come beside or before the questions that matter, at no sure time. */
export function isKnownSide({ maxTokens, tools, system, messages }: ModelQuestion): boolean {
  if (maxTokens === 1) return true;
  if (tools.length > 0) return false;
  return openings.some(opening => opening.test(system)) || question.test(messages.at(-1)?.text ?? '');
}

/** A text that does no harm; what a schema asks for where there is one. */
export function writeSideText({ outputSchema }: ModelQuestion): string {
  return outputSchema === undefined ? 'Scripted conversation' : JSON.stringify(createValue(outputSchema));
}
