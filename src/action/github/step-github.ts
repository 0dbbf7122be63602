import type { Network } from '../connect/network.ts';
import type { ActionHost } from '../host/host.ts';
import type { GitHub, GitHubUse } from './github.ts';

/** GitHub's API with the step's token. Each use has its own deadline. */
export type StepGitHub = (use: GitHubUse) => Promise<GitHub>;

export const gitHubLimits = Object.freeze({
  gate: 60_000,
  firstComment: 30_000,
  lastComment: 60_000,
  review: 90_000,
  post: 15_000,
});

interface StepGitHubOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly network: Network;
}

/** Loads GitHub's code on first use. */
export function createStepGitHub(host: ActionHost, { token, apiUrl, network }: StepGitHubOptions): StepGitHub {
  return async use => {
    const { openGitHub } = await import('./github.ts').catch((cause: unknown) => {
      // The toolkit reads the event while it loads.
      const remedy = 'Check that the file at GITHUB_EVENT_PATH is valid JSON';
      throw new Error(`GitHub's toolkit could not be loaded. ${remedy}`, { cause });
    });
    return openGitHub({
      token,
      apiUrl,
      fetch: network.fetch as typeof globalThis.fetch,
      log: host.print,
      ...use,
    });
  };
}
