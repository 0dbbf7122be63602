/** Installs an agent program from its maker's package: one exact version, completely or not at all. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../../base/cause.ts';
import { isObject } from '../../../../base/json.ts';
import { lastLines } from '../../../../base/text.ts';
import { joinSentences } from '../../ending-text.ts';
import { type Command, commandIn, locateProgramFolder } from '../agents-folder.ts';
import { readProgramVersion } from '../program-version.ts';
import type { AgentProgram } from '../programs.ts';
import { findNpm } from './npm.ts';

/** The message is a sentence that says what to do. */
export class AgentInstallError extends Error {
  override readonly name = 'AgentInstallError';
}

interface InstallOptions {
  readonly agentsFolder: string;
  /** SHA-512 of every package, by its folder in node_modules. Undefined: npm alone checks them. */
  readonly hashes?: Readonly<Record<string, string>> | undefined;
  /** The environment of npm, which contains its settings. The program's own setup gets only its PATH. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export interface InstalledAgent {
  readonly folder: string;
  /** Size on the disk. */
  readonly bytes: number;
  /** True if it was installed before and this call did nothing. */
  readonly wasThere: boolean;
}

/** Prefix of incomplete folders, and of those being removed. */
export const unfinished = '.unfinished-';
/** Left behind by an install whose process was killed. */
const unfinishedMaxMs = 24 * 3_600_000;

/**
 * Installs into a neighboring folder, which gets its final name once the program prints the right version. Of the
 * packages' scripts, only the one in the table runs. Throws AgentInstallError. After any error nothing is left.
 */
export async function installAgent(
  name: string,
  program: AgentProgram,
  { agentsFolder, hashes, env, signal }: InstallOptions,
): Promise<InstalledAgent> {
  const folder = locateProgramFolder(agentsFolder, name, program);
  if (await isThere(folder)) return { folder, bytes: await measure(folder), wasThere: true };
  const searchPath = env.PATH ?? '';
  const npm = await findNpm(searchPath);
  if (npm === undefined)
    throw new AgentInstallError(
      `npm was not found next to ${process.execPath} or on the PATH; install npm, or install ${program.package}@${program.version} yourself and put it on the PATH`,
    );
  await mkdir(agentsFolder, { recursive: true });
  await removeUnfinished(agentsFolder);
  const temporary = await mkdtemp(join(agentsFolder, unfinished));
  try {
    await writeFile(join(temporary, 'package.json'), '{ "private": true }\n');
    const specifier = `${program.package}@${program.version}`;
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    await execute([...npm, 'install', ...flags, '--prefix', temporary, specifier], {
      cwd: temporary,
      env,
      signal,
      what: `npm could not install ${specifier}`,
      remedy: 'check the network and the npm registry (`npm ping`)',
    });
    // Before anything of the packages runs.
    if (hashes !== undefined) await checkHashes(temporary, specifier, hashes);
    if (program.setup !== undefined)
      await execute([process.execPath, program.setup], {
        cwd: join(temporary, 'node_modules', program.package),
        env: { PATH: searchPath, HOME: temporary },
        signal,
        what: `the setup of ${specifier} failed`,
        remedy: 'check whether its maker supports this machine',
      });
    await checkVersion(commandIn(temporary, program), program, searchPath);
    const bytes = await measure(temporary);
    await place(temporary, folder);
    return { folder, bytes, wasThere: false };
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** npm has compared each package with the hash that the registry names, and notes it. */
async function checkHashes(folder: string, specifier: string, hashes: Readonly<Record<string, string>>): Promise<void> {
  const text = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8').catch(() => '{}');
  const noted: unknown = JSON.parse(text).packages;
  const packages = Object.entries(isObject(noted) ? noted : {});
  const wrong = packages.find(([path, entry]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    return !isObject(entry) || typeof entry.integrity !== 'string' || hashes[name] !== entry.integrity;
  });
  if (packages.length > 0 && wrong === undefined) return;
  const what =
    wrong === undefined ? 'npm did not note its hash' : `${wrong[0]} does not have the hash of the tested version`;
  throw new AgentInstallError(
    `${specifier} was downloaded, but ${what}; nothing was installed. Check the npm registry`,
  );
}

async function checkVersion(
  command: Command,
  { package: name, version }: AgentProgram,
  searchPath: string,
): Promise<void> {
  let said: string;
  try {
    said = await readProgramVersion(command, { searchPath });
  } catch (error) {
    throw new AgentInstallError(
      `${name}@${version} was downloaded but does not work: ${messageOf(error)}; check whether its maker supports this machine`,
    );
  }
  if (said !== version)
    throw new AgentInstallError(
      `${name}@${version} was downloaded, but its program reports version ${said}; nothing was installed`,
    );
}

/** Another install of the same version may have finished first. Its result is used. */
async function place(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (error) {
    if (!(await isThere(folder))) throw error;
  }
}

async function removeUnfinished(agentsFolder: string): Promise<void> {
  for (const entry of await readdir(agentsFolder)) {
    if (!entry.startsWith(unfinished)) continue;
    const path = join(agentsFolder, entry);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > unfinishedMaxMs)
      await rm(path, { recursive: true, force: true });
  }
}

interface ExecuteOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal | undefined;
  /** Start and end of the error sentence. */
  readonly what: string;
  readonly remedy: string;
}

/** Throws AgentInstallError with the end of its output, or the signal's reason if that ended it. */
async function execute([file, ...args]: Command, { cwd, env, signal, what, remedy }: ExecuteOptions): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(file, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-64_000);
    });
  const onAbort = () => void child.kill('SIGTERM');
  signal?.addEventListener('abort', onAbort, { once: true });
  const end = await new Promise<string | undefined>(resolve => {
    child.on('error', error => resolve(error.message));
    child.on('close', (code, killer) =>
      resolve(code === 0 ? undefined : `it ended with ${killer ?? `exit code ${code}`}`),
    );
  });
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  if (end === undefined) return;
  const said = joinSentences(readFault(printed));
  throw new AgentInstallError(`${what}: ${said === '' ? end : said}; ${remedy}`);
}

/** npm prints the error first, then advice; other programs print the error last. */
function readFault(printed: string): readonly string[] {
  const ofNpm = [...printed.matchAll(/^npm error (.*)$/gm)].map(([, line = '']) => line.trim());
  const told = ofNpm.filter(line => line !== '' && !/^(code|errno|syscall|at) |^A complete log /.test(line));
  return told.length > 0 ? told.slice(0, 2) : lastLines(printed, 4);
}

/** Bytes of all files. Hard links count once. */
export async function measure(folder: string): Promise<number> {
  const seen = new Set<number>();
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const info = await stat(join(entry.parentPath, entry.name));
    if (!seen.has(info.ino)) bytes += info.size;
    seen.add(info.ino);
  }
  return bytes;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
