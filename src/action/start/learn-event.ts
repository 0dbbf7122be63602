/** What the step learns of the event: whether it may start a run at all, and what the agent is told. GitHub's side is loaded when there is something to learn. */
import type { GitHub } from '../github/github.ts';
import { gitHubLimits, type StepGitHub } from '../github/step-github.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import type { Happening } from '../verdict/verdict.ts';
import { type EventNews, noNews } from './begin-run.ts';

interface Learned {
  /** Where whoever caused the event may not, or nobody can say whether they may; undefined where they may. */
  readonly refusal?: Happening | undefined;
  readonly news: EventNews;
}

/** Events that nobody from outside can cause and that are about nothing but the ref. */
const plainEvents: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch']);

interface Learning {
  readonly inputs: ActionInputs;
  readonly context: StepContext;
  /** Undefined without a token. */
  readonly stepGitHub: StepGitHub | undefined;
  /** That the runner wants the step to stop. */
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
    // Who started a workflow by hand may have given inputs, which stand in the payload alone.
    const block =
      eventName === 'workflow_dispatch' && context.eventPath === undefined
        ? undefined
        : await printPlainEvent(context, seed);
    return { news: { block, fields: { repository, ref, sha } } };
  }
  const [{ readEvent }, { checkGate }] = await Promise.all([import('../github/event.ts'), import('../github/gate.ts')]);
  const event = readEvent(context);
  // One use for everybody who is asked about, so that many names take no more time than one.
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
