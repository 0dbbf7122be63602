/** Looks for keys and tokens in an agent's answer before any of it is published. secretlint knows their forms. */
import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { GitHub } from '../action/github/github.ts';
import { isObject } from '../base/json.ts';

/** Keys that secretlint does not know: Gemini API keys and Claude Code tokens. */
const otherKeys = /AIza[\w-]{35}|sk-ant-[a-z]+\d+-[\w-]{20}/g;

/** The rule by which a comment in the text turns the scan off. */
const filter = '@secretlint/secretlint-rule-filter-comments';

/** Throws an Error that names their places. `what` begins its sentence: `the answer seems`. */
export async function refuseSecrets(what: string, texts: unknown): Promise<void> {
  const places = await findSecretPlaces(texts);
  if (places.length > 0)
    throw new Error(
      `${what} to contain a secret: ${places.slice(0, 5).join(', ')}. None of that was published. If it is a real one, revoke it`,
    );
}

/** Scans what is sent as well. Markdown hides keys, for example by `\\_`, and what GitHub gets is the text without that. */
export function scanRequests(github: GitHub, refuse = refuseSecrets): GitHub {
  const request = async (route: string, parameters: object = {}) => {
    // Files are scanned as text before they are sent in Base64.
    if (!/^GET |\/git\/(blobs|trees)$/.test(route)) await refuse('the text for GitHub seems', parameters);
    return await github.request(route, { ...parameters });
  };
  return { ...github, request: request as GitHub['request'] };
}

/** Where secrets seem to be, such as `findings/3/text (GITHUB_TOKEN)`. Never contains one. */
export async function findSecretPlaces(answer: unknown): Promise<readonly string[]> {
  const texts = listTexts(answer, []);
  const content = texts.map(({ text }) => text).join('\n');
  // One scan of all texts: each scan starts every rule.
  const { messages } = await lintSource({
    source: { filePath: 'answer.txt', content, contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: rules.filter(({ meta }) => meta.id !== filter).map(rule => ({ id: rule.meta.id, rule })) },
    },
  });
  let end = 0;
  const ends = texts.map(({ path, text }) => {
    end += text.length + 1;
    return { path, end };
  });
  const findPlace = (start: number) => ends.find(text => start < text.end)?.path ?? 'text';
  const places = messages
    .filter(({ type }) => type === 'message')
    .map(({ range: [start], messageId }) => `${findPlace(start)} (${messageId})`);
  const others = [...content.matchAll(otherKeys)].map(({ index }) => `${findPlace(index)} (API key)`);
  return [...new Set([...places, ...others])];
}

interface Text {
  readonly path: string;
  readonly text: string;
}

function listTexts(value: unknown, path: readonly (string | number)[]): readonly Text[] {
  if (typeof value === 'string') return [{ path: path.join('/'), text: value }];
  if (Array.isArray(value)) return value.flatMap((each, index) => listTexts(each, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    { path: path.join('/'), text: name },
    // The agent chose the name.
    ...listTexts(each, [...path, /^[a-z_]{1,20}$/.test(name) ? name : '…']),
  ]);
}
