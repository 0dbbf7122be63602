/** The agent's changes, checked against the limits of the workflow before GitHub hears of them. */
import type { ActionHost } from '../../action/host/host.ts';
import type { StepContext } from '../../action/inputs/step-context.ts';
import type { ChangeInputs } from '../apply-inputs.ts';
import { refuseSecrets } from '../secret-scan.ts';
import { openPatchedTree, type PatchedTree } from './patched-tree.ts';
import { findProtected } from './protected-paths.ts';

interface Checking {
  readonly host: ActionHost;
  readonly context: StepContext;
  readonly inputs: ChangeInputs;
  readonly token: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** Throws an Error with everything that the workflow does not allow. */
export async function openCheckedTree({
  host,
  context,
  inputs,
  token,
  commit,
  signal,
}: Checking): Promise<PatchedTree> {
  const { repositoryUrl, tempDir } = context;
  if (repositoryUrl === undefined) throw new Error('GITHUB_SERVER_URL is not set. A GitHub runner sets it');
  const tree = await openPatchedTree({
    ...{ tempDir, repositoryUrl, token, commit, signal },
    patch: inputs.patch,
    variables: host.variables(),
  });
  try {
    const refused = findProtected(tree.files, inputs);
    if (refused.length > 0) throw new Error(`the changes are refused: ${refused.join('; ')}`);
    await refuseSecrets('the changes seem', { changes: tree.addedText, paths: tree.files.map(({ path }) => path) });
    return tree;
  } catch (error) {
    await tree[Symbol.asyncDispose]();
    throw error;
  }
}
