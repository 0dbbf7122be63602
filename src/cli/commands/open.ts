import { spawn } from 'node:child_process';
import { parseUrl } from '../../base/url.ts';
import type { Arguments } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connectToRun } from '../connect.ts';
import type { Shell } from '../shell.ts';

export async function open(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  const { session_link: link = '' } = await client.runs.retrieve(runId);
  // A server may say anything, and the opener also starts programs.
  if (!/^https?:$/.test(parseUrl(link)?.protocol ?? '')) {
    shell.note(`agent-run: The server names no page for run ${runId}.`, 'bad');
    return 1;
  }
  const { href } = new URL(link);
  if (await openPage(href, shell)) shell.note(`Opened ${href}`);
  else shell.print(href);
  return 0;
}

/** False where there is no screen, or no program that opens pages. */
async function openPage(href: string, { env }: Shell): Promise<boolean> {
  const [program, ...words] = openers[process.platform] ?? ['xdg-open'];
  if (program === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  const child = spawn(program, [...words, href], { env, stdio: 'ignore', detached: true });
  child.unref();
  return await new Promise(resolve => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
}

/** Not `start`: cmd would read the "&" of an address as the end of the command. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
