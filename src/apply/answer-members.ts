/** The agent's answer: data of a stranger until a verb has checked its part. */
import { InputError } from '../action/inputs/values.ts';
import { removeFence } from '../action/text/open-fence.ts';
import { isNestedBeyond, isObject, type JsonObject } from '../base/json.ts';
import { ellipsis } from '../base/text.ts';
import { sizes } from '../contract/tables/sizes.ts';
import { type ApplyInputs, type Verb, verbs } from './apply-inputs.ts';

/** What each verb reads of the answer. */
const members: Readonly<Record<Verb, readonly string[]>> = {
  review: ['summary', 'verdict', 'findings'],
  comment: ['comment'],
  labels: ['labels'],
  pull_request: ['title', 'body'],
  push: ['title'],
};

/** Throws InputError unless the text is a JSON object. */
export function readAnswer({ text, input }: ApplyInputs['answer']): JsonObject {
  const refuse = (why: string): never => {
    throw new InputError(`\`${input}\` ${why}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(removeFence(text));
  } catch {
    return refuse('is not JSON. Set `output_schema` in the job with the agent, for example to `review`');
  }
  if (value === null)
    return refuse(
      'is null: the agent left no structured result, or one of more than 64 KiB. Pass a longer one in a file (`result_file`)',
    );
  if (!isObject(value)) return refuse('is not a JSON object');
  if (isNestedBeyond(value, sizes.jsonLevels)) return refuse(`is nested deeper than ${sizes.jsonLevels} levels`);
  return value;
}

const namesShown = 20;

/** Names what the answer proposes and the workflow did not ask for. */
export function findRefused(answer: JsonObject, inputs: ApplyInputs): readonly string[] {
  const refused = Object.entries(answer).flatMap(([given, value]) => {
    if (value === null) return [];
    const readers = verbs.filter(verb => members[verb].includes(given));
    const name = `\`${ellipsis(given, 100)}\``;
    if (readers.length === 0) return [`${name}: apply does nothing with it`];
    const off = readers.map(verb => `\`${verb}\``).join(' and ');
    return readers.some(verb => inputs[verb] !== undefined) ? [] : [`${name}: ${off} is off`];
  });
  const more = refused.length - namesShown;
  return [...refused.slice(0, namesShown), ...(more > 0 ? [`${more} more`] : [])];
}
