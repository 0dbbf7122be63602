/** Runs the runner's git in a repository of our own, which has no working tree, hooks or settings of others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ellipsis } from '../../base/text.ts';
import { terminalText } from '../../border/terminal-text.ts';

export interface GitPlace {
  /** The bare repository. */
  readonly folder: string;
  /** The step's environment, of which git gets what it needs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface GitMore {
  readonly input?: Uint8Array | string;
  /** Settings for this one process, in its environment: they are secrets. */
  readonly config?: Readonly<Record<string, string>>;
}

/** Refuses paths that macOS would read as `.git`. Windows' names are refused by default. */
const usualConfig = { 'core.protectHFS': 'true' };
const bytesMax = 64 * 1024 * 1024;
const passed = /^(PATH|SystemRoot|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|GIT_SSL_CA(INFO|PATH))$/i;

/** The output. Throws an Error with git's words. */
export async function runGit(
  { folder, variables, signal }: GitPlace,
  args: readonly string[],
  { input = '', config = {} }: GitMore = {},
): Promise<Buffer> {
  const settings = Object.entries({ ...usualConfig, ...config });
  const child = spawn('git', args, {
    cwd: folder,
    signal,
    env: {
      ...Object.fromEntries(Object.entries(variables).filter(([name]) => passed.test(name))),
      HOME: folder,
      LC_ALL: 'C',
      GIT_DIR: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([name, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, name],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < 2000) complaint += text;
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  const name = `git ${args[0]}`;
  if (code !== 0)
    throw new Error(`${name} failed: ${ellipsis(terminalText(complaint).replace(/\s+/g, ' ').trim(), 400)}`);
  if (bytes > bytesMax) throw new Error(`${name} printed more than ${bytesMax.toLocaleString('en')} bytes`);
  return Buffer.concat(chunks);
}
