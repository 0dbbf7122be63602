/**
 * The middleware around the real server. Every fault of a request wraps the one before it, in the order of
 * faultKinds: earlier ones are closer to the server. Faults count all arriving requests, regardless of other faults.
 */
import { systemClock } from '../../../base/clock.ts';
import { type ServerFeature, serverFeatures } from '../../../contract/tables/headers.ts';
import { answerMissing, changeResponse } from '../rewriting.ts';
import { breakBody, breakStream, holdBack, silence, slowDown, truncateBody } from './body-faults.ts';
import { createAim, readTarget, type Target } from './fault-aim.ts';
import { faultKinds, faultOrder, streamKinds } from './fault-kinds.ts';
import type { AimedFault, DeletedRun, Fault, FaultKind, FaultPlan, LastingFault } from './fault-plan.ts';
import { type Connection, createConnection, type ServerFetch } from './faulty-connection.ts';
import { checkFaultPlan } from './plan-check.ts';
import { askWithoutFeatures, askWithSkew, changeState, createAnswer, LaggingCopy } from './server-faults.ts';

/** A fault that hit a request. Lasting faults (`feature-off`, `clock-skew`) are not recorded. */
export interface MetFault {
  /** Its index in the plan. */
  readonly fault: number;
  readonly kind: FaultKind;
  readonly method: string;
  /** Path after `/api/v1`, without the query. */
  readonly path: string;
}

export interface FaultHooks {
  readonly onMet?: ((met: MetFault) => void) | undefined;
  /** Ends hanging requests. */
  readonly stopping?: AbortSignal | undefined;
}

type Ask = (request: Request) => Promise<Response>;

interface Exchange {
  readonly target: Target;
  readonly connection: Connection;
  /** Aborted when the client has disconnected or the server stops. */
  readonly over: AbortSignal;
}

/** Wraps `ask` if the fault applies to the request. Call `met` when it takes effect. */
type Layer = (ask: Ask, exchange: Exchange, met: () => void) => Ask;

/** Throws FaultPlanError for an invalid plan. */
export function createFaultyFetch(fetch: ServerFetch, plan: FaultPlan, hooks: FaultHooks = {}): ServerFetch {
  checkFaultPlan(plan);
  const layers = plan
    .map((fault, index) => ({ index, kind: fault.kind, layer: createLayer(fault) }))
    .sort((a, b) => faultOrder.indexOf(a.kind) - faultOrder.indexOf(b.kind));
  return async (request, outgoing) => {
    const target = readTarget(request);
    const stopping = hooks.stopping === undefined ? [] : [hooks.stopping];
    const exchange: Exchange = {
      target,
      connection: createConnection(outgoing),
      over: AbortSignal.any([request.signal, ...stopping]),
    };
    let ask: Ask = async one => await fetch(one, outgoing);
    for (const { index, kind, layer } of layers) {
      const { method, path } = target;
      ask = layer(ask, exchange, () => hooks.onMet?.({ fault: index, kind, method, path }));
    }
    return await ask(request);
  };
}

function createLayer(fault: Fault): Layer {
  if (isLasting(fault)) return createLastingLayer(fault);
  if (fault.kind === 'deleted-run') return createDeletion(fault);
  const isMet = createAim(streamKinds.has(fault.kind) ? { ...fault, stream: true } : fault);
  return (ask, exchange, met) => {
    if (!isMet(exchange.target)) return ask;
    met();
    return request => applyFault(fault, request, { ask, ...exchange });
  };
}

function isLasting(fault: Fault): fault is LastingFault {
  return faultKinds[fault.kind].scope === 'always';
}

function createLastingLayer(fault: LastingFault): Layer {
  switch (fault.kind) {
    case 'feature-off': {
      const off = new Set<ServerFeature>(fault.feature === 'all' ? serverFeatures : [fault.feature]);
      return (ask, { target }) =>
        request =>
          askWithoutFeatures(off, { request, target, ask });
    }
    case 'clock-skew':
      return ask => request => askWithSkew(request, fault.ms, ask);
    case 'lagging-copy': {
      const copy = new LaggingCopy(fault);
      return (ask, { target }, met) => {
        const { runId, route } = target;
        if (route === 'createRun' || route === 'createRunOldPath')
          return async request => await copy.noteCreated(await ask(request));
        if (runId === undefined || !copy.isTooEarly(target)) return ask;
        met();
        return request => answerMissing(request, ask, { runId });
      };
    }
  }
}

function createDeletion(fault: DeletedRun): Layer {
  const isMet = createAim(fault);
  const deleted = new Set<string>();
  return (ask, { target }, met) => {
    const { runId } = target;
    if (runId === undefined) return ask;
    if (isMet(target)) deleted.add(runId);
    if (!deleted.has(runId)) return ask;
    met();
    return request => answerMissing(request, ask, { runId });
  };
}

async function applyFault(
  fault: AimedFault,
  request: Request,
  { ask, connection, over }: Exchange & { readonly ask: Ask },
): Promise<Response> {
  switch (fault.kind) {
    case 'answer':
      return createAnswer(fault);
    case 'unknown-state':
      return await changeState(await ask(request), fault.state ?? 'PAUSED');
    case 'wrong-type':
      return changeResponse(await ask(request), { headers: { 'Content-Type': fault.type ?? 'text/html' } });
    case 'empty-body': {
      const answer = await ask(request);
      await answer.body?.cancel();
      return changeResponse(answer, { body: null });
    }
    case 'truncate':
      return await truncateBody(await ask(request), fault.bytes);
    case 'silent-stream':
      return await silence(await ask(request), over);
    case 'buffered-stream':
      return await holdBack(await ask(request));
    case 'break-stream':
      return breakStream(await ask(request), fault.events, connection);
    case 'slow-body':
      return slowDown(await ask(request), fault.bytes, () => rest(fault.ms, over));
    case 'cut-body':
      return await breakBody(await ask(request), fault.bytes, connection);
    case 'close-after':
      connection.closeAfterAnswer();
      return await ask(request);
    case 'lost-answer': {
      const answer = await ask(request);
      await answer.body?.cancel();
      return await connection.breakOff();
    }
    case 'hang':
      if (fault.when === 'after') await (await ask(request)).body?.cancel();
      await untilAborted(over);
      return await connection.breakOff();
    case 'reset':
      return await connection.breakOff();
    case 'delay': {
      if (fault.when !== 'after') await rest(fault.ms, over);
      const answer = await ask(request);
      if (fault.when === 'after') await rest(fault.ms, over);
      return answer;
    }
  }
}

/**
 * Cut short when the client has disconnected or the server stops. Nobody waits for the rest then, and the error is
 * not the server's.
 */
async function rest(ms: number, over: AbortSignal): Promise<void> {
  await systemClock.sleep(ms, over).catch(() => {});
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
