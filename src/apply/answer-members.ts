/** The agent's answer: data of a stranger until a verb has checked its part. */
import { InputError } from '../action/inputs/values.ts';
import { isNestedBeyond, isObject, type JsonObject } from '../base/json.ts';
import { ellipsis } from '../base/text.ts';
import { findDocument } from '../border/last-document.ts';
import { sizes } from '../contract/tables/sizes.ts';
import { type ApplyInputs, type Verb, verbs } from './apply-inputs.ts';

/** What each verb reads of the answer. */
const members: Readonly<Record<Verb, readonly string[]>> = {
  review: ['summary', 'verdict', 'findings'],
  comment: ['comment'],
  labels: ['labels'],
  pull_request: ['title', 'body'],
  // The body has no use here. Workflows ask for the same answer as for a pull request.
  push: ['title', 'body'],
};

/** The text may end with the answer, as a run's text does. Throws InputError unless it is a JSON object. */
export async function readAnswer({ text, input }: ApplyInputs['answer']): Promise<JsonObject> {
  const refuse = (why: string): never => {
    throw new InputError(`\`${input}\` ${why}`);
  };
  const found = await findDocument(text);
  if (found === undefined)
    return refuse('does not end with JSON. Set `output_schema` in the job with the agent, for example to `review`');
  const { value } = found;
  if (value === null)
    return refuse(
      'is null: the agent left no structured result, or one of more than 64 KiB. Pass a longer one in a file (`result_file`)',
    );
  if (!isObject(value)) return refuse('is not a JSON object');
  if (isNestedBeyond(value, sizes.jsonLevels)) return refuse(`is nested deeper than ${sizes.jsonLevels} levels`);
  return value;
}

const namesShown = 20;

/** Names what the answer proposes and the workflow did not ask for, and says if it has nothing else. */
export function findRefused(answer: JsonObject, inputs: ApplyInputs): readonly string[] {
  const refused = Object.entries(answer).flatMap(([given, value]) => {
    if (value === null) return [];
    const readers = verbs.filter(verb => members[verb].includes(given));
    const name = `\`${ellipsis(given, 100)}\``;
    if (readers.length === 0) return [`${name}: apply does nothing with it`];
    const off = readers.map(verb => `\`${verb}\``).join(' and ');
    return readers.some(verb => inputs[verb] !== undefined) ? [] : [`${name}: ${off} is off`];
  });
  const asked = verbs.flatMap(verb => (inputs[verb] === undefined ? [] : members[verb]));
  const missing = asked.some(name => answer[name] !== undefined)
    ? []
    : [`It has no ${asked.map(name => `\`${name}\``).join(' or ')}`];
  const more = refused.length - namesShown;
  return [...missing, ...refused.slice(0, namesShown), ...(more > 0 ? [`${more} more`] : [])];
}
