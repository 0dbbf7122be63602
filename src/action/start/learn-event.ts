/** Whether the event may start a run, and what the agent reads of it. GitHub's code loads only if needed. */
import type { GitHub } from '../github/github.ts';
import { gitHubLimits, type StepGitHub } from '../github/step-github.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import type { Outcome } from '../verdict/verdict.ts';
import { type EventNews, noNews } from './begin-run.ts';

interface Learned {
  /** Set if the person may not start the step, or if that is unknown. */
  readonly refusal?: Outcome | undefined;
  readonly news: EventNews;
}

/** Events that outsiders cannot cause and that concern only the ref. */
const plainEvents: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch']);

interface Learning {
  readonly inputs: ActionInputs;
  readonly context: StepContext;
  /** Undefined without a token. */
  readonly stepGitHub: StepGitHub | undefined;
  /** The runner wants the step to stop. */
  readonly signal: AbortSignal;
}

export async function learnEvent({ inputs, context, stepGitHub, signal }: Learning): Promise<Learned> {
  const { eventName, repository, ref, sha, actor, triggeringActor } = context;
  const { trust } = inputs;
  const tells = trust.eventContext === 'auto';
  if (eventName === undefined) return { news: noNews };
  const seed = [context.runId ?? '', context.job ?? ''].join('/');
  if (plainEvents.has(eventName)) {
    if (!tells) return { news: noNews };
    // A manual start may have inputs, which are only in the payload.
    const block =
      eventName === 'workflow_dispatch' && context.eventPath === undefined
        ? undefined
        : await printPlainEvent(context, seed);
    return { news: { block, fields: { repository, ref, sha } } };
  }
  const [{ readEvent }, { checkGate }] = await Promise.all([import('../github/event.ts'), import('../github/gate.ts')]);
  const event = readEvent(context);
  // All permission checks share one deadline, so many names take no longer than one.
  let asking: Promise<GitHub> | undefined;
  const github = stepGitHub && (() => (asking ??= stepGitHub({ limitMs: gitHubLimits.gate, signal })));
  const { allowBots, requirePermission } = trust;
  const answer = await checkGate({ event, actor, triggeringActor, allowBots, requirePermission, github });
  if (!answer.allowed) {
    const refusal = { phase: 'permission', why: `No run was started: ${answer.reason}` } as const;
    return { refusal: { kind: answer.isKnown ? 'skipped' : 'not_started', ...refusal }, news: noNews };
  }
  if (!tells || event === undefined) return { news: noNews };
  const { printEventContext, requestFieldsOf } = await import('../github/event-context.ts');
  return {
    news: {
      block: printEventContext(event, { mayQuoteText: answer.mayQuoteText, seed }),
      fields: requestFieldsOf(event),
    },
  };
}

async function printPlainEvent(context: StepContext, seed: string): Promise<string | undefined> {
  const [{ readEvent }, { printEventContext }] = await Promise.all([
    import('../github/event.ts'),
    import('../github/event-context.ts'),
  ]);
  const event = readEvent(context);
  return event && printEventContext(event, { mayQuoteText: false, seed });
}
