/** The client's tables for the docs, from the doc comments in its sources. What has none is an error that names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { code, firstSentence } from './markdown-table.ts';

const folder = resolve(import.meta.dirname, '../src/client');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(join(folder, file), 'utf8'));
const index = readFileSync(join(folder, 'index.ts'), 'utf8');

/**
 * Who takes the options of which interface. Their doc comments, which editors show, say what each does; those of
 * single methods are there only.
 */
const generalOptions = {
  ClientOptions: 'Of the client',
  CallOptions: 'Of the client and of a call',
  RequestOptions: 'Of a call',
} as const;

export function printClientOptions(): string {
  return Object.entries(generalOptions)
    .map(([name, place]) => `- ${place}: ${readMembers(name).map(printOption).join(', ')}`)
    .join('\n');
}

function printOption({ name, usual }: Comment & { readonly name: string }): string {
  return usual === '' || usual === 'no limit' ? code(name) : `${code(name)} (${usual})`;
}

export function printClientErrors(): string {
  const names = [...index.matchAll(/export \{([^}]*)\} from '\.\/errors\//g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(type )?\b(\w+)/g)].filter(([, isType]) => isType === undefined).map(([, , name = '']) => name),
  );
  const classes = names.map(name => {
    const { doc, parts } = findDeclaration(`export class ${name} extends (\\w+)`);
    return { name, parent: parts[0] ?? '', text: firstSentence(doc.text) };
  });
  const statuses = classes
    .filter(({ parent }) => parent === 'ApiError')
    .map(({ name, text }) => `${code(name)} (${text.replace(/:.*/s, '')})`);
  const others = classes.filter(
    ({ name, parent }) => name !== 'ApiError' && parent !== 'Error' && parent !== 'ApiError',
  );
  return [
    `- ${code('ApiError')} by status: ${statuses.join(', ')}`,
    ...others.map(({ name }) => `- ${code(name)}`),
  ].join('\n');
}

interface Comment {
  readonly text: string;
  /** What stands behind `@default`; '' where nothing does. */
  readonly usual: string;
}

/** The members of an interface itself, without those that it inherits. */
function readMembers(name: string): readonly (Comment & { readonly name: string })[] {
  const body = findText(
    new RegExp(`^export interface ${name}\\b[^{]*\\{(?:\\n([\\s\\S]*?)^)?\\}`, 'm'),
    `interface ${name}`,
  );
  return [...body.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^ {2}readonly (\w+)\??:/gm)].map(
    ([, comment, member = '']) => ({
      name: member,
      ...readComment(comment, `${name}.${member}`),
    }),
  );
}

function findDeclaration(pattern: string): { readonly doc: Comment; readonly parts: readonly string[] } {
  const whole = new RegExp(`(\\/\\*\\*(?:(?!\\*\\/)[\\s\\S])*\\*\\/\\n)?^${pattern}`, 'm');
  const found = sources.map(text => whole.exec(text)).find(match => match !== null);
  if (found === undefined) throw new Error(`there is no ${pattern} in src/client`);
  const [, comment, ...parts] = found;
  return { doc: readComment(comment, pattern), parts };
}

function findText(pattern: RegExp, what: string): string {
  const found = sources.map(text => pattern.exec(text)).find(match => match !== null);
  if (found === undefined) throw new Error(`there is no ${what} in src/client`);
  return found[1] ?? '';
}

function readComment(comment: string | undefined, what: string): Comment {
  if (comment === undefined) throw new Error(`${what} has no doc comment`);
  const words = comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [text = '', usual = ''] = words.split('@default');
  return { text: text.trim(), usual: usual.trim() };
}
