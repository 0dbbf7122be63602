import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTempFolder } from './temp-folder.ts';

const program = fileURLToPath(new URL('./fake-docker-program.ts', import.meta.url));

export interface FakeDocker {
  /** A folder for the beginning of a PATH. */
  readonly bin: string;
  /** The environment of its client. */
  readonly env: Readonly<Record<string, string>>;
  /** The file that sets variables of images, in addition to the usual ones. */
  readonly imageVariables: string;
  /** Command lines so far. */
  calls(): readonly (readonly string[])[];
  /** The command as another user calls it: its command line and its output. */
  readonly file: string;
  /** Names of all containers, including ended ones. */
  containers(): readonly string[];
  /** Names of the running ones. */
  running(): readonly string[];
  /** Sets its version output. */
  answer(answers: { readonly version?: string; readonly info?: string }): void;
  stopEngine(): void;
  startEngine(): void;
}

/**
 * Installs a `docker` that works without an engine (fake-docker-program.ts). It has the named images, and can pull
 * others.
 */
export function installFakeDocker({
  folder = createTempFolder(),
  images = ['tools:1'],
  registry = [],
}: {
  readonly folder?: string;
  readonly images?: readonly string[];
  readonly registry?: readonly string[];
} = {}): FakeDocker {
  const [bin, engine] = [join(folder, 'bin'), join(folder, 'engine')];
  for (const path of [bin, join(engine, 'containers')]) mkdirSync(path, { recursive: true });
  const file = join(bin, 'docker');
  // As JavaScript it starts twice as fast, and it is started often.
  writeFileSync(join(bin, 'docker.mjs'), stripTypeScriptTypes(readFileSync(program, 'utf8')));
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${bin}/docker.mjs' "$@"\n`);
  chmodSync(file, 0o755);
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(engine, name), lines.map(line => `${line}\n`).join(''));
  write('images', images);
  write('registry', registry);
  write('calls', []);
  const startEngine = () => write('docker.sock', []);
  startEngine();
  const containers = () =>
    readdirSync(join(engine, 'containers'))
      .filter(name => !name.includes('.'))
      .map((name): { name: string; state: { Running: boolean } } =>
        JSON.parse(readFileSync(join(engine, 'containers', name), 'utf8')),
      );
  return {
    bin,
    file,
    imageVariables: join(engine, 'variables'),
    env: { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, DOCKER_HOST: `unix://${engine}/docker.sock` },
    calls: () =>
      readFileSync(join(engine, 'calls'), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map((line): readonly string[] => JSON.parse(line)),
    containers: () => containers().map(({ name }) => name),
    running: () => containers().flatMap(({ name, state }) => (state.Running ? [name] : [])),
    answer({ version, info }) {
      write('version', version === undefined ? [] : [version]);
      write('info', info === undefined ? [] : [info]);
    },
    stopEngine: () => rmSync(join(engine, 'docker.sock')),
    startEngine,
  };
}
