import type { SecretHider } from '../harness.ts';
import type { AgentSpec } from './adapter.ts';

/** Shorter ones are words such as `ollama`, which would be cut out of plain text. */
const lengthMin = 8;
const secretNames = /key|token|secret|password|credential|auth/i;
const mask = '***';

/**
 * The key of the model, what MCP servers are given in headers and behind the `?` of an address, and variables that are called a key, a token or
 * so. An agent can print what it was given, and what it prints is shown.
 */
export function createHider({ endpoint, mcpServers }: Pick<AgentSpec, 'endpoint' | 'mcpServers'>): SecretHider {
  const secrets = new Set<string>();
  const add = (value: string | undefined): void => {
    if (value !== undefined && value.length >= lengthMin) secrets.add(value);
  };
  add(endpoint.apiKey);
  for (const server of mcpServers) {
    if (server.type === 'http') for (const value of URL.parse(server.url)?.searchParams.values() ?? []) add(value);
    const named = Object.entries(server.type === 'stdio' ? server.env : server.headers);
    // Of `Bearer …` what comes after the scheme.
    for (const [name, value] of named)
      if (server.type === 'http' || secretNames.test(name)) add(value.replace(/^(Bearer|Basic|token) /i, ''));
  }
  return hideEach([...secrets]);
}

function hideEach(secrets: readonly string[]): SecretHider {
  // The longest first: one may be the beginning of another.
  const ordered = secrets.toSorted((a, b) => b.length - a.length);
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

/** A JSON value without the secrets in its texts; names of members are left as they are. */
export function hideIn<T>({ hide }: Pick<SecretHider, 'hide'>, value: T): T {
  const json = JSON.stringify(value);
  if (json === undefined) return value;
  return JSON.parse(json, (_name, member: unknown) => (typeof member === 'string' ? hide(member) : member)) as T;
}
