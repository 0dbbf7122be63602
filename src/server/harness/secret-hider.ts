/** Takes secrets out of what is shown. An agent can print what it was given, and what it prints is shown. */
import { isObject } from '../../base/json.ts';
import { createSecretHider, type SecretHider } from '../../base/secret-hider.ts';
import { findSecrets } from '../../base/secret-variables.ts';

/** Of one line of several: shorter ones are such as the braces and the names of a JSON file. */
const lineLengthMin = 20;

/** Of variables that were passed on to a program, those that look like secrets. */
export function hideVariables(variables: Readonly<Record<string, string>>): SecretHider {
  return hideEach(findSecrets(variables));
}

export function hideEach(secrets: readonly string[]): SecretHider {
  return createSecretHider([...secrets, ...ofServers].flatMap(spell));
}

/** What no run was given, but an agent can find on this machine. */
const ofServers = new Set<string>();

/** Hides a secret of a server in every run that begins from now on; returns what ends that. */
export function hideAlways(secret: string): () => void {
  ofServers.add(secret);
  return () => void ofServers.delete(secret);
}

/**
 * How a secret may stand in what is printed: as it is, as a part of JSON and of JSON in a text of JSON, and, where it has several lines, line by line, as programs that number
 * lines show it.
 */
function spell(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map(line => line.trim());
  return [
    secret,
    inJson(secret),
    inJson(inJson(secret)),
    ...(lines.length === 1 ? [] : lines.filter(line => line.length >= lineLengthMin)),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A JSON value without the secrets in its texts and in the names of its members. */
export function hideIn<T>(secrets: Pick<SecretHider, 'hide'> | undefined, value: T): T {
  if (secrets === undefined) return value;
  const walk = (member: unknown): unknown => {
    if (typeof member === 'string') return secrets.hide(member);
    if (Array.isArray(member)) return member.map(walk);
    if (!isObject(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, each]) => [secrets.hide(name), walk(each)]));
  };
  return walk(value) as T;
}
