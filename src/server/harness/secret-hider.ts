/** Takes secrets out of what is shown. An agent can print what it was given, and what it prints is shown. */
import { isObject } from '../../base/json.ts';
import { findSecrets } from '../../base/secret-variables.ts';
import type { SecretHider } from './harness.ts';

const mask = '***';
/** Of one line of several: shorter ones are such as the braces and the names of a JSON file. */
const lineLengthMin = 20;

/** Of variables that were passed on to a program, those that look like secrets. */
export function hideVariables(variables: Readonly<Record<string, string>>): SecretHider {
  return hideEach(findSecrets(variables));
}

export function hideEach(secrets: readonly string[]): SecretHider {
  // The longest first: one may be the beginning of another.
  const ordered = [...new Set(secrets.flatMap(spell))].sort((a, b) => b.length - a.length);
  const choices = ordered.map(secret => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(choices.length === 0 ? '(?!)' : choices.join('|'), 'g');
  const hide = (text: string): string => text.replace(pattern, mask);
  const longest = ordered[0]?.length ?? 0;
  /** Where a text may break off within a secret, looked for outside of whole ones; its length where it does not. */
  const findBegun = (text: string): number => {
    let at = Math.max(0, text.length - longest + 1);
    for (const { index, 0: whole } of text.matchAll(pattern)) if (index < at) at = Math.max(at, index + whole.length);
    while (at < text.length) {
      const rest = text.slice(at);
      if (ordered.some(secret => secret.length > rest.length && secret.startsWith(rest))) break;
      at += ordered.find(secret => rest.startsWith(secret))?.length ?? 1;
    }
    return at;
  };
  const openStream: SecretHider['openStream'] = () => {
    let held = '';
    return {
      push(text) {
        const all = held + text;
        const begun = findBegun(all);
        held = all.slice(begun);
        return hide(all.slice(0, begun));
      },
      end() {
        const rest = hide(held);
        held = '';
        return rest;
      },
    };
  };
  return { hide, openStream };
}

/**
 * How a secret may stand in what is printed: as it is, as a part of JSON, and, where it has several lines, line by line, as programs that number
 * lines show it.
 */
function spell(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map(line => line.trim());
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...(lines.length === 1 ? [] : lines.filter(line => line.length >= lineLengthMin)),
  ];
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
