/** The inputs that turn a step red, whatever the run's own state. */
import type { ActionHost } from '../host/host.ts';
import { type Condition, findMismatch, parseCondition } from '../verdict/fail-when.ts';
import { badConclusions, type Conclusion, conclusions } from '../verdict/verdict.ts';
import type { ActionInputs } from './inputs.ts';
import { checkWord, InputError, quote, readWord, readWords } from './values.ts';

export function readFailOn(host: ActionHost): ReadonlySet<Conclusion> {
  const words = readWords(host, 'fail_on');
  if (words === undefined) return badConclusions;
  if (words.length === 1 && words[0] === 'none') return new Set();
  return new Set(words.map(word => checkWord('fail_on', word, conclusions)));
}

export function readFailWhen(host: ActionHost): Condition | undefined {
  const text = readWord(host, 'fail_when');
  if (text === undefined) return undefined;
  const condition = parseCondition(text);
  if (condition === undefined)
    throw new InputError(
      `\`fail_when\`: ${quote(text)} is not a condition. Write a path, == or !=, and a value or a list, such as verdict == request_changes or verdict != [approve, comment]`,
    );
  return condition;
}

/** Throws InputError if the step will not have the result that an input needs, before a run costs anything. */
export function checkResultUses({ report, task, follow }: ActionInputs): void {
  const { failWhen, review } = report;
  const uses = [...(failWhen === undefined ? [] : ['fail_when']), ...(review === 'off' ? [] : ['review'])];
  const refuse = (why: string, name = 'fail_when'): never => {
    throw new InputError(`\`${name}\`: ${why}`);
  };
  for (const name of uses) {
    if (!follow.wait) refuse(`the step does not wait for the result. Remove \`wait: false\`, or \`${name}\``, name);
    if (follow.cancel) refuse(`the step cancels the run. Remove one of \`cancel\` and \`${name}\``, name);
  }
  if (failWhen === undefined) return;
  // A run of another step has its own schema.
  if (follow.runId !== undefined) return;
  if (task.outputSchema === undefined)
    refuse('only a run with `output_schema` has a structured result. Set `output_schema`');
  const mismatch = task.outputSchema && findMismatch(failWhen, task.outputSchema);
  if (mismatch !== undefined) refuse(mismatch);
}
