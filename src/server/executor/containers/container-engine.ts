/** Calls the program that runs containers, `docker` or `podman`, only through its command line. */

import { spawn } from 'node:child_process';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { lastLines } from '../../../base/text.ts';
import { isProgram } from '../program-file.ts';

/** An engine's command that exists. Only engine-probe.ts checks that it works. */
export interface ContainerEngine {
  /** Absolute path of its command. */
  readonly file: string;
  /** The whole environment of that command. */
  readonly env: Readonly<Record<string, string>>;
}

/** Settings of every container. */
export interface ContainerSettings {
  /** For `--network`. Undefined leaves the engine's default. */
  readonly network?: string | undefined;
  /** Memory of one container in MiB, without swap. */
  readonly memoryMb?: number | undefined;
  /** Processes and threads of one container. */
  readonly processes?: number | undefined;
  /** CPUs that one container may use. Fractions are allowed. */
  readonly cpus?: number | undefined;
}

/** The engine, an image or a container failed, not the program. The message is for people. */
export class ContainerFault extends Error {
  override readonly name = 'ContainerFault';
}

interface Answer {
  /** Undefined if the command did not start or a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** The last part of its stderr. */
  readonly stderr: string;
}

const usualNames = ['docker', 'podman'];
const callMs = 30_000;
const streamEndMs = 1000;
const textMax = 64 * 1024;

/** Finds the configured command, or the first one installed. Otherwise the reason, as the end of a sentence. */
export function findContainerEngine({
  command,
  env,
}: {
  readonly command?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}): ContainerEngine | string {
  const folders = (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).filter(isAbsolute);
  const names = command === undefined ? usualNames : [command];
  const paths = names.flatMap(name => (isAbsolute(name) ? [name] : folders.map(folder => join(folder, name))));
  const file = paths.find(isProgram);
  if (file !== undefined) return { file, env };
  if (command === undefined)
    return "docker and podman were not found on the server's PATH; install one of them, or set `docker.command` to its path";
  return isAbsolute(command)
    ? `\`docker.command\`: ${command} does not exist or is not executable`
    : `\`docker.command\`: ${command} was not found on the server's PATH`;
}

/** Runs one engine command to its end. Never rejects. `signal` stops it; without a signal it is stopped after 30 s. */
export async function callEngine(
  { file, env }: ContainerEngine,
  args: readonly string[],
  signal: AbortSignal = AbortSignal.timeout(callMs),
): Promise<Answer> {
  // A separate session keeps Ctrl-C in the server's terminal away from it.
  const child = spawn(file, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number | undefined; readonly fault: string }>();
  child.once('error', error => resolve({ code: undefined, fault: error.message }));
  child.once('close', code => resolve({ code: code ?? undefined, fault: '' }));
  child.once('exit', () => {
    // Background processes it started may still hold its streams.
    const streams = [child.stdout, child.stderr];
    setTimeout(() => streams.forEach(stream => void stream.destroy()), streamEndMs).unref();
  });
  const texts = [collect(child.stdout), collect(child.stderr)];
  const { code, fault } = await promise;
  signal.removeEventListener('abort', kill);
  const [stdout = '', stderr = ''] = fault === '' ? await Promise.all(texts) : [];
  return { code, stdout: stdout.trim(), stderr: fault === '' ? stderr : fault };
}

async function collect(stream: Readable): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream) text = `${text}${String(chunk)}`.slice(-textMax);
  } catch {}
  return text;
}

/** Extracts the engine's error without its fixed phrases. */
export function describeComplaint(stderr: string): string {
  const said = stderr
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^Run '.+ --help' for more information$/.test(line));
  const words = lastLines(said.join('\n'), 2)
    .map(line => line.replace(/^(docker: |Error: )?(Error response from daemon: )?/, ''))
    .join(' | ');
  return words === '' ? 'it gave no reason' : words.slice(0, 500);
}

/** True if the error says that the container does not exist. */
export function isNoContainer(stderr: string): boolean {
  return /no such container|no container with name or id|no such object/i.test(stderr);
}
