import type { ModelRequest } from '../model-request.ts';
import type { ModelScript, ModelTurn } from './turn.ts';
import { checkTurn } from './turn-check.ts';

export interface ScriptPlayer {
  readonly remaining: number;
  /** The turn for a request. Undefined if none is left. Throws TypeError for an invalid one. */
  readonly next: (request: ModelRequest) => Promise<ModelTurn | undefined>;
}

/** Throws TypeError for an invalid script. */
export function createScriptPlayer(script: ModelScript): ScriptPlayer {
  if (typeof script === 'function') {
    let calls = 0;
    return {
      remaining: Number.POSITIVE_INFINITY,
      next: async request => {
        calls += 1;
        return await choose(script, request, `the turn of request ${calls}`);
      },
    };
  }
  if (!Array.isArray(script)) throw new TypeError('the script must be a list of turns, or a function that returns one');
  for (const [index, turn] of script.entries()) if (typeof turn !== 'function') checkTurn(turn, `turns[${index}]`);
  const turns = [...script];
  let taken = 0;
  return {
    get remaining() {
      return turns.length - taken;
    },
    next: async request => {
      const index = taken;
      const turn = turns[index];
      if (turn === undefined) return undefined;
      taken += 1;
      return typeof turn === 'function' ? await choose(turn, request, `turns[${index}]`) : turn;
    },
  };
}

type Chooser = (request: ModelRequest) => ModelTurn | undefined | Promise<ModelTurn | undefined>;

async function choose(chooser: Chooser, request: ModelRequest, name: string): Promise<ModelTurn | undefined> {
  const turn = await chooser(request);
  if (turn !== undefined) checkTurn(turn, name);
  return turn;
}
