import type { ModelQuestion } from './model-request.ts';
import { createValue } from './script/schema-filling.ts';

/** First words of instructions for side requests: opencode's titles, Gemini CLI's choice between models. */
const openings = [/^\s*You are a title generator\b/, /^\s*You are a specialized Task Routing AI\b/];
/** Gemini CLI's question about who speaks next. It comes with the usual instructions. */
const question = /^Analyze \*only\* the content and structure of your immediately preceding response\b/;

/** Quota probes, titles, choices of a model: programs send these before or between the main requests, at any time. */
export function isKnownSide({ maxTokens, tools, system, messages }: ModelQuestion): boolean {
  if (maxTokens === 1) return true;
  if (tools.length > 0) return false;
  return openings.some(opening => opening.test(system)) || question.test(messages.at(-1)?.text ?? '');
}

/** A harmless text, or a value that matches the requested schema. */
export function writeSideText({ outputSchema }: ModelQuestion): string {
  return outputSchema === undefined ? 'Scripted conversation' : JSON.stringify(createValue(outputSchema));
}
