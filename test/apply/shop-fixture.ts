/** A shop with a real repository, and patches as a run leaves them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FakeGitHub, openFakeGitHub } from '../support/fake-github.ts';
import { git } from '../support/git-host.ts';
import { type FakeGit, openFakeGit } from '../support/github/fake-git.ts';
import type { Granted } from '../support/github/permissions.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { type ApplyJob, runApply, token } from './apply-step.ts';

const files = {
  'src/till.ts': 'export const till = 1;\n',
  'src/old.ts': 'export const old = 1;\n',
  '.github/workflows/ci.yml': 'on: push\n',
};
export const answer = { title: 'Add a second till', body: 'One till was **not enough**.' };
const writes = { contents: 'write', pull_requests: 'write' } as const;

export interface Shop {
  readonly github: FakeGitHub;
  readonly fake: FakeGit;
  /** The commit that the agent saw. */
  readonly seen: string;
}

export async function openShop(granted: Granted = writes): Promise<Shop> {
  const fake = await openFakeGit(files, { token });
  return { fake, seen: fake.run(['rev-parse', 'main']), github: await openFakeGitHub({ granted, git: fake }) };
}

/** The patch of what `act` changes in a checkout, as a run leaves it. */
export function patchOf({ fake, seen }: Shop, act: (folder: string) => void): string {
  const folder = createTempFolder();
  git(folder, 'clone', '--quiet', fake.origin.folder, '.');
  git(folder, 'checkout', '--quiet', seen);
  act(folder);
  git(folder, 'add', '--all');
  const args = ['diff', '--cached', '-M', '--binary', '--full-index', 'HEAD'];
  return writePatch(execFileSync('git', args, { cwd: folder }));
}

export function writePatch(patch: string | Uint8Array): string {
  const file = join(createTempFolder(), 'changes.patch');
  writeFileSync(file, patch);
  return file;
}

export function write(text: Readonly<Record<string, string | Uint8Array>>): (folder: string) => void {
  return folder => {
    for (const [path, content] of Object.entries(text)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
}

export const till = write({ 'src/till.ts': 'export const till = 2;\n' });

export async function propose(
  shop: Shop,
  patch: string,
  { inputs, context, verb = 'pull_request', ...job }: ApplyJob & { readonly verb?: 'push' | 'pull_request' } = {},
) {
  return await runApply(shop.github, {
    answer,
    event: 'schedule',
    ...job,
    inputs: { [verb]: 'true', patch_file: patch, ...inputs },
    context: { server_url: shop.fake.serverUrl, sha: shop.seen, ref: 'refs/heads/main', ...context },
  });
}
