/** What a program with the step's own user does to the runner's files. None of it stays. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepFiles } from '../../../src/action/host/kept-files.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const onUnix = test.skipIf(process.platform === 'win32');

const names = [
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_OUTPUT',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_EVENT_PATH',
];

function openFiles(except?: readonly string[]) {
  const folder = join(createTempFolder(), 'commands');
  mkdirSync(folder);
  const pathOf = (file: string) => join(folder, file);
  for (const file of names) writeFileSync(pathOf(file), file === 'GITHUB_STEP_SUMMARY' ? 'before\n' : '');
  const files = keepFiles(pathOf, except);
  return { folder, files, output: pathOf('GITHUB_OUTPUT'), pathOf };
}

/** Runs a shell command as the agent, between the step's writes. */
async function attack(command: string) {
  const { folder, files, output } = openFiles();
  const add = (text: string) => files.write('GITHUB_OUTPUT', () => appendFileSync(output, text));
  add('n=1\n');
  execFileSync('sh', ['-c', command], { env: { PATH: process.env.PATH, FILE: output, FOLDER: folder } });
  add('m=1\n');
  return { files, output, add };
}

onUnix.each([
  ['appends to it', 'echo evil >> $FILE'],
  ['overwrites it', 'echo evil > $FILE'],
  ['empties it', ': > $FILE'],
  ['overwrites it with the same length', 'echo n=2 > $FILE'],
  ['removes it', 'rm $FILE'],
  ['removes the folder', 'rm -r $FOLDER'],
  ['moves the folder away', 'mv $FOLDER $FOLDER-2'],
  ['replaces it with a folder', 'rm $FILE; mkdir -p $FILE/deep'],
  ['replaces it with a link', 'rm $FILE; ln -s /etc/hostname $FILE'],
  ['replaces it with a dangling link', 'rm $FILE; ln -s /nowhere/at/all $FILE'],
  ['replaces it with a pipe', 'rm $FILE; mkfifo $FILE'],
  ['adds a hard link', 'ln $FILE $FILE-2'],
  ['removes its permissions', 'echo evil >> $FILE; chmod 0 $FILE'],
])('after someone %s, the step’s earlier and later writes are restored', async (_, command) => {
  const { files, output, add } = await attack(command);
  expect(await files.restore()).toContain('GITHUB_OUTPUT');
  add('l=1\n');
  expect(await files.restore()).toEqual([]);
  expect(readFileSync(output, 'utf8')).toBe('n=1\nm=1\nl=1\n');
  expect(lstatSync(output)).toMatchObject({ nlink: 1 });
});

onUnix.each([
  ['replaces the folder with a file', 'rm -r $FOLDER; echo x > $FOLDER'],
  ['replaces the folder with a dangling link', 'rm -r $FOLDER; ln -s /nowhere $FOLDER'],
  ['replaces the folder with a symlink loop', 'rm -r $FOLDER; ln -s $FOLDER $FOLDER'],
  ['replaces the folder with a link to an unwritable one', 'mv $FOLDER $FOLDER-2; ln -s /proc/self/fd $FOLDER'],
  ['replaces the parent folder with a pipe', 'rm -r ${FOLDER%/*}; mkfifo ${FOLDER%/*}'],
])('restoring fails if someone %s', async (_, command) => {
  const { files } = await attack(command);
  await expect(files.restore()).rejects.toThrow();
});

onUnix('a descriptor of the old file no longer reaches the restored one', async () => {
  const { files, output } = openFiles();
  const held = openSync(output, 'a');
  writeSync(held, 'evil');
  expect(await files.restore()).toEqual(['GITHUB_OUTPUT']);
  writeSync(held, 'evil');
  closeSync(held);
  expect(readFileSync(output, 'utf8')).toBe('');
});

onUnix('all six files are restored, and untouched ones are left alone', async () => {
  const { folder, files, pathOf } = openFiles();
  expect(await files.restore()).toEqual([]);
  for (const file of readdirSync(folder)) writeFileSync(pathOf(file), 'LD_PRELOAD=evil\n');
  expect(await files.restore()).toEqual(names);
  expect(readdirSync(folder).map(file => readFileSync(pathOf(file), 'utf8'))).toEqual(['', '', '', '', '', 'before\n']);
});

onUnix('a file that the agent may write to is left as it is', async () => {
  const { files, pathOf } = openFiles(['GITHUB_ENV']);
  for (const file of ['GITHUB_ENV', 'GITHUB_PATH']) writeFileSync(pathOf(file), 'A=b\n');
  expect(await files.restore()).toEqual(['GITHUB_PATH']);
  expect(readFileSync(pathOf('GITHUB_ENV'), 'utf8')).toBe('A=b\n');
  expect(files.has('GITHUB_ENV')).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'a folder that became a link to where nothing can be made is a fault',
  async () => {
    const folder = createTempFolder();
    const temp = join(folder, 'temp');
    const path = join(temp, 'commands', 'env');
    mkdirSync(join(temp, 'commands'), { recursive: true });
    writeFileSync(path, '');
    const files = keepFiles(name => (name === 'GITHUB_ENV' ? path : undefined));
    renameSync(temp, join(folder, 'gone'));
    symlinkSync('/proc', temp);
    await expect(files.restore()).rejects.toThrow('ENOENT');
  },
);

test.skipIf(process.platform !== 'linux')(
  'a file that cannot be restored is reported, and the others are restored',
  async () => {
    const env = join(createTempFolder(), 'env');
    // This file can be written, but neither removed nor replaced.
    const comm = `/proc/${process.pid}/comm`;
    const paths: Record<string, string> = { GITHUB_OUTPUT: comm, GITHUB_ENV: env };
    writeFileSync(env, '');
    const files = keepFiles(name => paths[name]);
    files.write('GITHUB_OUTPUT', () => {});
    const name = readFileSync(comm, 'utf8');
    onTestFinished(() => writeFileSync(comm, name));
    writeFileSync(comm, 'evil');
    writeFileSync(env, 'A=evil');
    await expect(files.restore()).rejects.toThrow(dirname(comm));
    expect(readFileSync(env, 'utf8')).toBe('');
  },
);
