/** What the step learns of the event: whether it may start a run at all, and what the agent is told. GitHub's side is loaded when there is something to learn. */
import type { Network } from '../connect/network.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { type EventNews, noNews } from './begin-run.ts';

interface Learned {
  /** Why whoever caused the event may not; undefined where they may. */
  readonly refusal?: string | undefined;
  readonly news: EventNews;
}

/** Events that nobody from outside can cause and that are about nothing but the ref. */
const plainEvents: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch']);

export async function learnEvent(
  host: ActionHost,
  {
    inputs,
    context,
    network,
  }: { readonly inputs: ActionInputs; readonly context: StepContext; readonly network: Network },
): Promise<Learned> {
  const { eventName, repository, ref, sha, actor, triggeringActor, apiUrl } = context;
  const { trust, report } = inputs;
  const tells = trust.eventContext === 'auto';
  if (eventName === undefined) return { news: noNews };
  if (plainEvents.has(eventName))
    return { news: tells ? { block: undefined, fields: { repository, ref, sha } } : noNews };
  const [{ readEvent }, { checkGate }, { createStepGitHub }] = await Promise.all([
    import('../github/event.ts'),
    import('../github/gate.ts'),
    import('../github/step-github.ts'),
  ]);
  const event = readEvent(context);
  const token = report.githubToken;
  const github = token === undefined ? undefined : createStepGitHub(host, { token, apiUrl, network });
  const { allowBots, requirePermission } = trust;
  const answer = await checkGate({ event, actor, triggeringActor, allowBots, requirePermission, github });
  if (!answer.allowed) return { refusal: `No run was started: ${answer.reason}`, news: noNews };
  if (!tells || event === undefined) return { news: noNews };
  const { printEventContext, requestFieldsOf } = await import('../github/event-context.ts');
  const seed = [context.runId ?? '', context.job ?? ''].join('/');
  return {
    news: {
      block: printEventContext(event, { mayQuoteText: answer.mayQuoteText, seed }),
      fields: requestFieldsOf(event),
    },
  };
}
