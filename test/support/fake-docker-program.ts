/**
 * A `docker` for tests, which behaves like the client and its engine where tests depend on it. Containers are
 * processes that outlive the client. A container without `--rm` stays until it is removed.
 * `DOCKER_HOST=unix://FOLDER/docker.sock` names the engine's folder; without that file there is no engine.
 * FOLDER/images lists the existing images, FOLDER/registry those that can be pulled, and FOLDER/calls records every
 * command line. Not supported: a file system of its own (it only checks that used paths were mounted) and namespaces.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Container {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly hasInput: boolean;
  readonly shim?: number;
  readonly pid?: number;
  readonly state: {
    Status: string;
    Running: boolean;
    OOMKilled: boolean;
    ExitCode: number;
    Error: string;
    StartedAt: string;
  };
}

const never = '0001-01-01T00:00:00Z';
const socket = (process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, '');
const folder = socket.slice(0, socket.lastIndexOf('/'));
const [command = '', ...rest] = process.argv.slice(2);

if (command === '--version') end(0, `${listed('version')[0] ?? 'Docker version 28.0.0, build fake'}\n`);
if (!existsSync(socket))
  end(
    command === 'run' ? 125 : 1,
    '',
    `${command === 'run' ? 'docker: ' : ''}Cannot connect to the Docker daemon at unix://${socket}. Is the docker daemon running?\n`,
  );
if (command !== 'shim') appendFileSync(join(folder, 'calls'), `${JSON.stringify([command, ...rest])}\n`);
mkdirSync(join(folder, 'containers'), { recursive: true });

const commands: Readonly<Record<string, () => void | Promise<void>>> = {
  info: () => end(0, `${listed('info')[0] ?? '["name=seccomp,profile=default"]'}\n`),
  image: () => lookUpImage(rest.at(-1) ?? ''),
  pull: () => pull(rest.at(-1) ?? ''),
  ps: list,
  container: () => end(0, `${JSON.stringify(find(rest.at(-1) ?? '').state)}\n`),
  kill: () => kill(rest[1] ?? '', find(rest[2] ?? '')),
  rm: () => remove(rest.at(-1) ?? ''),
  run,
  shim: () => shim(rest[0] ?? ''),
};
await (commands[command] ?? (() => end(1, '', `docker: '${command}' is not a docker command.\n`)))();

function end(code: number, out = '', err = ''): never {
  process.stdout.write(out);
  process.stderr.write(err);
  process.exit(code);
}

function listed(name: string): readonly string[] {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean) : [];
}

function lookUpImage(image: string): void {
  if (listed('images').includes(image)) end(0, 'sha256:0123\n');
  end(1, '', `Error response from daemon: no such image: ${image}: No such image: ${image}\n`);
}

async function pull(image: string): Promise<void> {
  if (image === 'slow:1') await new Promise(resolve => setTimeout(resolve, 60_000));
  if (!listed('registry').includes(image))
    end(
      1,
      '',
      `Error response from daemon: pull access denied for ${image}, repository does not exist or may require 'docker login'\n`,
    );
  appendFileSync(join(folder, 'images'), `${image}\n`);
  end(0, `${image}\n`);
}

function fileOf(id: string): string {
  return join(folder, 'containers', id);
}

function containers(): readonly Container[] {
  return readdirSync(join(folder, 'containers'))
    .filter(name => !name.includes('.'))
    .map(id => JSON.parse(readFileSync(fileOf(id), 'utf8')) as Container);
}

function find(idOrName: string): Container {
  const found = containers().find(({ id, name }) => id === idOrName || name === idOrName);
  return found ?? end(1, '', `Error response from daemon: No such container: ${idOrName}\n`);
}

function save(container: Container): void {
  // Atomic, because others read it meanwhile.
  const file = fileOf(container.id);
  writeFileSync(`${file}.new`, JSON.stringify(container));
  renameSync(`${file}.new`, file);
}

function list(): void {
  const wanted = rest.filter(text => text.startsWith('label=')).map(text => text.slice('label='.length));
  const found = containers().filter(({ labels }) => wanted.every(label => labels.includes(label)));
  end(0, found.map(({ id }) => `${id}\n`).join(''));
}

function kill(signal: string, { state, pid = 0, name }: Container): void {
  if (!state.Running)
    end(1, '', `Error response from daemon: cannot kill container: ${name}: container is not running\n`);
  signalProcess(signal === 'KILL' ? -pid : pid, `SIG${signal}` as NodeJS.Signals);
  end(0, `${name}\n`);
}

async function remove(idOrName: string): Promise<void> {
  const { id, pid = 0, state, shim: shimPid = 0 } = find(idOrName);
  if (state.Running) signalProcess(-pid, 'SIGKILL');
  for (let tries = 0; tries < 200 && signalProcess(shimPid, 0); tries += 1)
    await new Promise(resolve => setTimeout(resolve, 10));
  rmSync(fileOf(id), { force: true });
  end(0, `${idOrName}\n`);
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Signal targets 0 and -1 mean everybody.
    return Math.abs(pid) > 1 && process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Creates a container from the flags and attaches to its streams until it ends. */
async function run(): Promise<void> {
  const { flags, image, args } = readFlags();
  const refuse = (message: string) =>
    end(125, '', `docker: Error response from daemon: ${message}\n\nRun 'docker run --help' for more information\n`);
  const one = (name: string) => flags.find(([flag]) => flag === name)?.[1];
  const all = (name: string) => flags.flatMap(([flag, value]) => (flag === name ? [value] : []));
  if (!listed('images').includes(image)) refuse(`No such image: ${image}`);
  if (one('--network') === 'missing') refuse('network missing not found');
  const mounts = all('--mount').map(
    text =>
      /(?:^|,)(?:"source=([^"]*)"|source=([^",]*))/
        .exec(text)
        ?.slice(1)
        .find(path => path !== undefined) ?? '',
  );
  for (const path of mounts)
    if (!existsSync(path)) refuse(`invalid mount config for type "bind": bind source path does not exist: ${path}`);
  const cwd = one('--workdir') ?? '/';
  if (!mounts.some(path => `${cwd}${sep}`.startsWith(`${path}${sep}`))) refuse(`nothing is mounted at ${cwd}`);
  const id = Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    OF_THE_IMAGE: 'yes',
    ...(existsSync(join(folder, 'variables')) ? readVariables(join(folder, 'variables')) : {}),
    ...readVariables(one('--env-file')),
    ...Object.fromEntries(all('--env').map(name => [name, process.env[name] ?? ''])),
  };
  const entry = one('--entrypoint');
  save({
    ...{ id, name: one('--name') ?? id, labels: all('--label'), cwd, env },
    argv: entry === undefined ? args : [entry, ...args],
    hasInput: flags.some(([flag]) => flag === '--interactive'),
    state: { Status: 'created', Running: false, OOMKilled: false, ExitCode: 0, Error: '', StartedAt: never },
  });
  if (image === 'slow-to-start:1') await new Promise(resolve => setTimeout(resolve, 400));
  if (image === 'broken:1')
    end(126, '', 'docker: Error response from daemon: failed to create task for container: permission denied\n');
  const input = flags.some(([flag]) => flag === '--interactive') ? 'inherit' : 'ignore';
  // The engine's part, which outlives the client.
  const shimProcess = spawn(process.execPath, [fileURLToPath(import.meta.url), 'shim', id], {
    detached: true,
    stdio: [input, 'inherit', 'inherit'],
  });
  await new Promise(resolve => shimProcess.once('exit', resolve));
  const gone = !existsSync(fileOf(id));
  process.exitCode = gone ? 137 : find(id).state.ExitCode;
}

function readFlags(): { flags: readonly (readonly [string, string])[]; image: string; args: readonly string[] } {
  const alone = ['--init', '--interactive', '--rm'];
  const flags: (readonly [string, string])[] = [];
  let at = 0;
  while (rest[at]?.startsWith('--')) {
    const flag = rest[at] ?? '';
    const hasValue = !alone.includes(flag);
    flags.push([flag, hasValue ? (rest[at + 1] ?? '') : '']);
    at += hasValue ? 2 : 1;
  }
  return { flags, image: rest[at] ?? '', args: rest.slice(at + 1) };
}

function readVariables(file: string | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {};
  const lines = readFileSync(file, 'utf8').split('\n');
  if (lines.some(line => line.length > 65_535))
    end(125, '', 'docker: invalid env file: bufio.Scanner: token too long\n');
  return Object.fromEntries(
    lines
      .map(line => line.trimStart())
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** The engine's part of a container: starts its program, passes on its streams, records how it ended. */
async function shim(id: string): Promise<void> {
  const container = find(id);
  const [program = '', ...args] = container.argv;
  const started = { ...container, shim: process.pid };
  const finish = (code: number) => {
    save({
      ...started,
      state: { ...container.state, Status: 'exited', ExitCode: code, StartedAt: new Date().toISOString() },
    });
  };
  const file = findFile(program, container.env.PATH ?? '');
  if (file === undefined || !isExecutable(file)) {
    const why = file === undefined ? 'No such file or directory' : 'Permission denied';
    process.stderr.write(`[FATAL tini (7)] exec ${program} failed: ${why}\n`);
    return finish(file === undefined ? 127 : 126);
  }
  const child: ChildProcess = spawn(file, args, {
    argv0: program,
    cwd: container.cwd,
    env: container.env,
    detached: true,
    stdio: [container.hasInput ? 'inherit' : 'ignore', 'inherit', 'inherit'],
  });
  save({
    ...started,
    pid: child.pid ?? 0,
    state: { ...container.state, Status: 'running', Running: true, StartedAt: new Date().toISOString() },
  });
  const code = await new Promise<number>(resolve => {
    child.once('exit', (exitCode, signal) => {
      // A container ends with its first process.
      signalProcess(-(child.pid ?? 0), 'SIGKILL');
      for (const pid of findRelatives(container.env.AGENT_RUN_MARKER)) signalProcess(pid, 'SIGKILL');
      const numbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };
      resolve(exitCode ?? 128 + (numbers[signal ?? ''] ?? 0));
    });
  });
  if (existsSync(fileOf(id))) finish(code);
}

/** Processes that left their session, which they could not do in a container. */
function findRelatives(marker: string | undefined): readonly number[] {
  if (marker === undefined || process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && readEnvironment(name).includes(`AGENT_RUN_MARKER=${marker}\0`))
    .map(Number);
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

function findFile(program: string, path: string): string | undefined {
  const files = program.includes('/') ? [program] : path.split(delimiter).map(part => join(part, program));
  return files.find(file => existsSync(file));
}

function isExecutable(file: string): boolean {
  const info = statSync(file);
  return info.isFile() && (info.mode & 0o111) !== 0;
}
