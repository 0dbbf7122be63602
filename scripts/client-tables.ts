/** The client's tables for the docs, from the doc comments in its sources. What has none is an error that names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { code, firstSentence, printTable } from './markdown-table.ts';

const folder = resolve(import.meta.dirname, '../src/client');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(join(folder, file), 'utf8'));
const index = readFileSync(join(folder, 'index.ts'), 'utf8');

/** Who takes the options of which interface: first those of every call, then those of single methods. */
const generalOptions = {
  ClientOptions: 'Of the client',
  CallOptions: 'Of the client and of a call',
  RequestOptions: 'Of a call',
} as const;

export function printClientOptions(): string {
  return Object.entries(generalOptions)
    .map(([name, place]) => `${place}:\n\n${readMembers(name).map(printOption).join('\n')}`)
    .join('\n\n');
}

/** What takes the options of which interface. An interface without a place here is an error. */
const places: Readonly<Record<string, string>> = {
  CancelOptions: '`runs.cancel`',
  CreateOptions: '`runs.create`',
  EventsOptions: '`runs.events`',
  FollowLimitOptions: '`runs.follow`, `runs.wait`',
  FollowOptions: '`runs.follow`, `runs.wait`',
  FollowupOptions: '`runs.followup`',
  PatienceOptions: '`runs.follow`, `runs.wait`, `runs.events`',
  RawRequestOptions: '`request`, `get`, `post`, `put`, `patch`, `delete`',
  WaitOptions: '`runs.wait`',
};

/** Every other exported interface of options, below the methods that take it. A `signal` is the same everywhere. */
export function printMethodOptions(): string {
  const names = sources.flatMap(text =>
    [...text.matchAll(/^export interface (\w+Options)\b/gm)].map(match => match[1] ?? ''),
  );
  const options = names
    .filter(name => !(name in generalOptions))
    .flatMap(name => {
      const place = places[name];
      if (place === undefined) throw new Error(`no method is named for ${name}`);
      return readMembers(name).map(member => ({ place, ...member }));
    })
    .filter(({ name }) => name !== 'signal');
  return [...Map.groupBy(options, ({ place }) => place)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([place, members]) => `${place}:\n\n${members.map(printOption).join('\n')}`)
    .join('\n\n');
}

function printOption({ name, text, usual }: Comment & { readonly name: string }): string {
  const hasDefault = usual !== '' && usual !== 'no limit';
  return `- ${code(name)}${hasDefault ? ` (${usual})` : ''}: ${firstSentence(text)}`;
}

export function printClientErrors(): string {
  const names = [...index.matchAll(/export \{([^}]*)\} from '\.\/errors\//g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(type )?\b(\w+)/g)].filter(([, isType]) => isType === undefined).map(([, , name = '']) => name),
  );
  const classes = names.map(name => {
    const { doc, parts } = findDeclaration(`export class ${name} extends (\\w+)`);
    return { parent: parts[0] ?? '', line: `- ${code(name)}: ${firstSentence(doc.text)}` };
  });
  return [...Map.groupBy(classes, ({ parent }) => parent)]
    .filter(([parent]) => parent !== 'Error')
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([parent, kinds]) => [`Kinds of ${code(parent)}:`, kinds.map(({ line }) => line).join('\n')].join('\n\n'))
    .join('\n\n');
}

export function printClientMethods(): string {
  const rows = [
    ['AgentRuns', 'client.'],
    ['Runs', 'client.runs.'],
    ['Agent', 'client.agent.'],
  ].flatMap(([name = '', prefix = '']) => {
    const body = findText(new RegExp(`^export class ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm'), `class ${name}`);
    const methods = body.matchAll(
      /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^ {2}(?:async )?\*?(\w+)(?:<[^(]*>)?\(((?:(?!\n {2}\})[\s\S])*?)\): (.+) \{$/gm,
    );
    return [...methods]
      .map(([, comment, method = '', parameters = '']) => {
        const call = `${prefix}${method}(${printParameters(parameters)})`;
        return [code(call), firstSentence(readComment(comment, `${name}.${method}`).text)];
      })
      .filter(([, text]) => text?.startsWith('`request` with') === false);
  });
  return printTable(['Method', ''], rows);
}

/** The names, with a `?` where one can be left out. */
function printParameters(parameters: string): string {
  return [...parameters.matchAll(/(\w+)(\??): [^,=<]*(?:<[^>]*>)?\s*(=)?/g)]
    .map(([, name = '', optional, usual]) => (optional === '?' || usual !== undefined ? `${name}?` : name))
    .join(', ');
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
