import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Arguments } from '../arguments.ts';
import { connectToRun } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import type { Shell } from '../terminal/command-shell.ts';

export async function open(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  const { session_link: link = '' } = await client.runs.retrieve(runId);
  // The server's text is untrusted, and the opener can also start programs.
  if (!/^https?:\/\//.test(link)) {
    shell.note(`agent-run: The server names no page for run ${runId}.`, 'bad');
    return 1;
  }
  if (await openPage(link, shell)) shell.note(`Opened ${link}`);
  else shell.print(link);
  return 0;
}

/** Resolves to false without a display or a program that opens pages. */
async function openPage(href: string, { env }: Shell): Promise<boolean> {
  const { platform } = process;
  const isDesktop = platform === 'darwin' || platform === 'win32';
  if (!isDesktop && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  // Not `start`, because cmd would treat the "&" of an address as the end of the command.
  const [program, words] =
    platform === 'win32' ? ['rundll32', ['url.dll,FileProtocolHandler']] : [isDesktop ? 'open' : 'xdg-open', []];
  const child = spawn(program, [...words, href], { env, stdio: 'ignore', detached: true });
  child.unref();
  return await once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
