import type { Network } from '../connect/network.ts';
import type { ActionHost } from '../host/host.ts';
import { guardLine } from '../text/guard.ts';
import type { GitHub } from './github.ts';

interface StepGitHubOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly network: Network;
  /** See `openGitHub`. */
  readonly budgetMs?: number;
}

/** Opens GitHub's API with a token of the step when it is first called. Nothing of it is loaded before. */
export function createStepGitHub(
  host: ActionHost,
  { token, apiUrl, network, budgetMs }: StepGitHubOptions,
): () => Promise<GitHub> {
  const open = async (): Promise<GitHub> => {
    const { openGitHub } = await import('./github.ts');
    return openGitHub({
      token,
      apiUrl,
      fetch: network.fetch as typeof globalThis.fetch,
      log: line => host.print(guardLine(line)),
      ...(budgetMs === undefined ? {} : { budgetMs }),
    });
  };
  let opening: Promise<GitHub> | undefined;
  return () => (opening ??= open());
}
