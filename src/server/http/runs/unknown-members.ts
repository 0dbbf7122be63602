/**
 * Members of a create request that this version does not know. Newer clients may send them, so they are ignored. The
 * caller must learn that such a member did not restrict or configure the run.
 */
import { isObject, type JsonObject } from '../../../base/json.ts';
import { ellipsis } from '../../../base/text.ts';
import { nearest } from '../../../base/wording/nearest.ts';
import { type AgentConfig, configSchema } from '../../../contract/config.ts';
import { createRunSchema } from '../../../contract/create.ts';
import { RequestError } from '../problem-response.ts';

const warningsMax = 20;
const nameMax = 60;

const show = (name: string): string => JSON.stringify(ellipsis(name, nameMax));

/** `model_id`, `modelId` and `model-id` are one name. */
const fold = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** Folded names that other programs and clients use to limit an agent. */
const restricting =
  /^(permissionmode|approval(policy|mode)|sandbox(mode)?|readonly|((dis)?allowed|enabled|disabled|excluded?)?tools|max(turns|steps|cost(usd)?|budgetusd)|budgetusd|timeout(minutes|seconds)?)$/;

type Meanings = readonly (readonly [folded: string, path: string])[];
const bodyNames = Object.keys(createRunSchema.shape);
const configNames = Object.keys(configSchema.shape);
const harnessNames = Object.keys(configSchema.shape.harness.unwrap().shape);
const configMeanings: Meanings = [
  ['config', 'config'],
  ['agentconfig', 'config'],
  ...configNames.map(name => [fold(name), name === 'harness' ? 'config.harness.name' : `config.${name}`] as const),
  ['agent', 'config.harness.name'],
  ['model', 'config.model_id'],
  ['environment', 'config.environment_id'],
  ['instructions', 'config.base_prompt'],
  ['systemprompt', 'config.base_prompt'],
  ['jsonschema', 'config.output_schema'],
];

const allMeanings: Meanings = [...bodyNames.map(name => [fold(name), name] as const), ...configMeanings];

/** Objects of a create request with known members, for guessing what an unknown name means. */
const places = [
  { path: '', known: new Set(bodyNames), meanings: new Map(allMeanings) },
  { path: 'config.', known: new Set(configNames), meanings: new Map(allMeanings) },
  {
    path: 'config.harness.',
    known: new Set(harnessNames),
    meanings: new Map(harnessNames.map(name => [fold(name), `config.harness.${name}`] as const)),
  },
];

/** Throws RequestError 422 for members that would have restricted the run. */
export function refuseRestrictions(body: JsonObject): void {
  const asked = listUnknown(body).flatMap(({ path, names }) =>
    names.filter(name => restricting.test(fold(name))).map(name => show(path + name)),
  );
  if (asked.length > 0)
    throw new RequestError(
      'operation_not_supported',
      `this server cannot restrict a run with ${asked.slice(0, warningsMax).join(', ')}; remove it. Restrict runs in the server's configuration: \`steps\` and \`models\` of a harness, \`limits.run_minutes\`, and containers (\`docker.image\`)`,
    );
}

/** Warnings for ignored members that look like settings, one sentence each. They contain no value of the body. */
export function describeIgnored(body: JsonObject, config: AgentConfig): readonly string[] {
  // Guesses are slow, and only this many warnings are shown.
  let guesses = warningsMax;
  const sentences = listUnknown(body).flatMap(({ path, names, meanings }) =>
    names.flatMap(name => {
      const meant = findMeaning(name, meanings, guesses > 0);
      if (meant !== undefined) guesses -= 1;
      // An unknown top-level member without a near match comes from a newer client.
      if (path === '' && meant === undefined) return [];
      const outcome = describeOutcome(meant, config);
      const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return [`${show(path + name)} is unknown and was ignored${outcome}.${guess}`];
    }),
  );
  if (typeof body.team === 'boolean') sentences.unshift('"team" was ignored: this server has one owner and no teams.');
  if (sentences.length <= warningsMax) return sentences;
  const shown = sentences.slice(0, warningsMax - 1);
  return [...shown, `${sentences.length - shown.length} more unknown members were ignored.`];
}

function listUnknown(body: JsonObject) {
  const config = isObject(body.config) ? body.config : {};
  const objects = [body, config, isObject(config.harness) ? config.harness : {}];
  return places.map(({ path, known, meanings }, index) => {
    const object = objects[index] ?? {};
    const isUnknown = (name: string) => object[name] !== null && !known.has(name);
    return { path, meanings, names: Object.keys(object).filter(isUnknown) };
  });
}

function findMeaning(name: string, meanings: ReadonlyMap<string, string>, mayGuess: boolean): string | undefined {
  const folded = fold(name);
  const exact = meanings.get(folded);
  // Short names have many near matches, and long ones none.
  if (exact !== undefined || !mayGuess || folded.length < 5 || folded.length > 40) return exact;
  const near = nearest(folded, meanings.keys()) ?? '';
  return near.length >= 5 && Math.abs(near.length - folded.length) <= 2 ? meanings.get(near) : undefined;
}

function describeOutcome(meant: string | undefined, { harness, model_id, environment_id }: AgentConfig): string {
  const outcomes: Readonly<Record<string, readonly [what: string, value: string | undefined]>> = {
    'config.harness.name': ['harness', harness?.type],
    'config.model_id': ['model', model_id],
    'config.environment_id': ['environment', environment_id],
  };
  const [what, value] = outcomes[meant ?? ''] ?? [];
  if (what === undefined) return '';
  return `: the run has ${value === undefined ? `no ${what} of its own` : `the ${what} ${ellipsis(value, nameMax)}`}`;
}
