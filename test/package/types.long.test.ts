import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { packPackage } from './packed.ts';

const root = resolve(import.meta.dirname, '../..');
const packed = packPackage();
afterAll(() => packed[Symbol.dispose]());
beforeAll(() => writeFileSync(join(packed.consumer, 'package.json'), '{ "type": "module" }'));

/** What tsc has against a module of a program that has installed the package. */
function judge(name: string, source: string, options: Readonly<Record<string, unknown>>): string {
  const { consumer } = packed;
  writeFileSync(join(consumer, `${name}.ts`), source);
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    typeRoots: [join(root, 'node_modules/@types')],
    ...options,
  };
  writeFileSync(join(consumer, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', `${name}.json`], {
      cwd: consumer,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

/** Two ways that programs resolve types and two sources of the platform's types. */
const programs = {
  'Node with @types/node': { module: 'nodenext', types: ['node'] },
  'a bundler with the DOM': {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  },
} as const;

const consumer = `
import { AgentRuns, ApiError, type ClientOptions, type CreateRunBody, finalStates, isFinal, type ListParams, type Run, RunLostError } from 'agent-run';

const options: ClientOptions = { baseUrl: 'https://agents.example.com', apiKey: 'k', fetch: (url, init) => fetch(url, init) };
const client = new AgentRuns(options);

export async function use(signal: AbortSignal): Promise<readonly string[]> {
  const body: CreateRunBody = { prompt: 'x', config: { harness: { type: 'script', more: 1 } }, metadata: { team: 'a' } };
  const { data, response, requestId } = await client.runs.create(body, { signal }).withResponse();
  const texts: (string | undefined)[] = [data.run_id, requestId, response.headers.get('etag') ?? ''];
  for await (const run of client.runs.list({ state: ['FAILED'], limit: 5 }, { signal })) texts.push(run.agent_config?.name);
  for await (const event of client.runs.events(data.run_id)) if (event.type === 'log') texts.push(event.data.text);
  return texts.filter(text => text !== undefined);
}

/** A state that a newer server says is a state; one that is known can be compared. */
export const later: Run['state'] = 'PAUSED';
export const hasFailed = (run: Run): boolean => isFinal(run.state) && run.state === 'FAILED';
export const explain = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.code : error instanceof RunLostError ? error.runId : undefined;

const skills: readonly string[] = ['octo-org/shop:greet'];
export const constants: CreateRunBody = { config: { skills, mcp_servers: { a: { args: ['x'] as const } } } };
export const isOver = (run: Run): boolean => finalStates.includes(run.state);
export const everything: ListParams = { limit: undefined, sort_order: undefined, state: finalStates };

/** As a program declares its own things: an interface has no index signature. */
interface OwnServer { command: string; args: string[] }
interface OwnSchema { type: 'object'; required: string[] }
declare const server: OwnServer, schema: OwnSchema;
export const own: CreateRunBody = { config: { mcp_servers: { a: server }, output_schema: schema } };
// @ts-expect-error No server is a text.
export const noServer: CreateRunBody = { config: { mcp_servers: { a: 'x' } } };
// @ts-expect-error A known member of another kind.
export const wrongArgs: CreateRunBody = { config: { mcp_servers: { a: { args: 'x' } } } };

// @ts-expect-error A name that no body has.
export const wrongName: CreateRunBody = { promt: 'x' };
// @ts-expect-error A text where a number belongs.
export const wrongType: CreateRunBody = { lease_seconds: 'x' };
`;

describe.each(Object.entries(programs))('in %s', (name, options) => {
  test('a strict program that uses the client compiles, declarations checked too', () => {
    expect(judge(`consumer-${name.split(' ')[0]}`, consumer, { ...options, skipLibCheck: false })).toBe('');
  });
});

const examples = readFencedBlocks(readFileSync(join(packed.folder, 'README.md'), 'utf8'))
  .filter(({ language }) => language === 'ts')
  .map(({ code }) => code);

test('the examples in the README compile', () => {
  expect(examples).toHaveLength(2);
  for (const code of examples)
    expect(judge('readme', code, { ...programs['Node with @types/node'], skipLibCheck: true })).toBe('');
});

test('the example of a test in the README does what it says', () => {
  const example = examples.find(code => code.includes('agent-run/testing')) ?? '';
  const args = ['--input-type=module-typescript', '--eval', example];
  execFileSync(process.execPath, args, { cwd: packed.consumer, encoding: 'utf8', stdio: 'pipe', timeout: 50_000 });
});

test('the test helpers’ types can be used, declarations checked too', () => {
  const source = `
    import { createFakeRunner, createTestServer, type StepResult, type TestServerOptions } from 'agent-run/testing';
    export const open = (limits: TestServerOptions['limits']) => createTestServer({ limits, harnesses: undefined });
    export const outputsOf = (result: StepResult): unknown => result.outputs;
    // @ts-expect-error A limit is a number.
    export const wrong: TestServerOptions = { limits: { concurrency: 'x' } };
    export { createFakeRunner };
  `;
  const options = { ...programs['Node with @types/node'], lib: ['es2024', 'esnext.disposable'], skipLibCheck: false };
  expect(judge('testing', source, options)).toBe('');
});

describe('flattened types', () => {
  const index = readFileSync(join(root, 'src/client/index.ts'), 'utf8');
  const exported = [...index.matchAll(/export (type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(
    ([, all, names = '', from = '']) =>
      names
        .split(',')
        .map(name => name.trim())
        .filter(name => name !== '')
        .map(name => ({
          name: name.replace(/^type /, ''),
          isType: all !== undefined || name.startsWith('type '),
          isContract: from.startsWith('../contract/'),
        })),
  );
  /** Private members make a class a type of its own; what their members take and give is what the other types are. */
  const classes = [
    'Runs',
    'Agent',
    ...exported.filter(({ name, isType }) => !isType && /^[A-Z]/.test(name)).map(({ name }) => name),
  ];
  const checked = exported.filter(({ name }) => !classes.includes(name));
  const generics: Readonly<Record<string, string>> = { OpenWord: "<'a'>", WithResponse: '<string>' };

  /**
   * A module that compiles where the two surfaces fit each other; the contract's types, which alone were flattened,
   * to the last member.
   */
  const compare = (change: (text: string) => string) => `
    import type * as Source from ${JSON.stringify(join(root, 'src/client/index.ts'))};
    import type * as Flat from 'agent-run';
    type Deep<T> = T extends ((...args: never) => unknown) | Date ? T : T extends object ? { [K in keyof T]: Deep<T[K]> } : T;
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    type Fits<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
    ${checked
      .map(({ name, isType, isContract }) => {
        const [source, flat] = ['Source', 'Flat'].map(from =>
          isType ? `${from}.${name}${generics[name] ?? ''}` : `typeof ${from}.${name}`,
        );
        const same = isContract ? `Same<Deep<${source}>, ${change(`Deep<${flat}>`)}>` : 'true';
        return `export const ${name}_: [${same}, Fits<${source}, ${flat}>] = [true, true];`;
      })
      .join('\n')}
  `;
  const options = {
    ...programs['Node with @types/node'],
    lib: ['es2024', 'esnext.disposable'],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };

  test('every type that the client exports is in the package what it is in the sources', () => {
    expect(checked.length).toBeGreaterThan(25);
    expect(
      judge(
        'same',
        compare(text => text),
        options,
      ),
    ).toBe('');
  });

  test('a member that is missing or more would be seen', () => {
    const faults = judge(
      'other',
      compare(text => `${text} & { more?: string }`),
      options,
    );
    expect(faults.match(/error TS2322/g)?.length ?? 0).toBeGreaterThan(10);
  });

  test('what the schemas say of a member is its doc comment', () => {
    const text = readFileSync(join(packed.folder, 'js/contract/create.d.ts'), 'utf8');
    expect(text).toContain(
      '/** Cancel the run if nobody renews its lease for this many seconds */\n    readonly lease_seconds?: number',
    );
  });
});
