import { isObject, type JsonObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/wording/nearest.ts';
import { show } from '../../server/shown-value.ts';
import { usageCheck } from '../model-options.ts';
import type { ModelTurn } from './turn.ts';

type Check = readonly [isRight: (value: unknown) => boolean, takes: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const isTrue = (value: unknown): boolean => value === true;
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value);
const isStatus = (value: unknown): boolean => isCount(value) && Number(value) >= 400 && Number(value) <= 599;

const checks: Readonly<Record<string, Check>> = {
  text: [isText, 'a string'],
  reasoning: [isText, 'a string'],
  tools: [
    value => Array.isArray(value) && value.every(isCall),
    'a list of calls: shell, read, write, mcp, or name with input',
  ],
  stop: [value => value === 'length', '"length"'],
  usage: usageCheck,
  cutAfterChunks: [isCount, 'a whole number from 0'],
  stall: [isTrue, 'true'],
  silent: [isTrue, 'true'],
  streamError: [isText, 'a string'],
  refusal: [isText, 'a string'],
  status: [isStatus, 'a whole number from 400 to 599'],
  error: [isText, 'a string'],
  code: [isText, 'a string'],
  headers: [value => isObject(value) && Object.values(value).every(isText), 'an object of strings'],
  delayMs: [isAmount, 'a number from 0'],
  chunkDelayMs: [isAmount, 'a number from 0'],
};

const words = ['text', 'reasoning', 'tools', 'usage', 'chunkDelayMs', 'delayMs'];
/** The member that selects each kind of turn, and the other members it may have. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  status: ['error', 'code', 'headers', 'delayMs'],
  refusal: ['usage', 'delayMs'],
  silent: [],
  cutAfterChunks: words,
  stall: words,
  streamError: words,
};

/** Throws TypeError with a sentence that names the member. Ignoring a typo would make a test that cannot fail. */
export function checkTurn(turn: unknown, name: string): asserts turn is ModelTurn {
  if (!isObject(turn))
    throw new TypeError(`${name} must be an object, or a function that returns one, not ${show(turn)}`);
  const given: JsonObject = Object.fromEntries(Object.entries(turn).filter(([, value]) => value !== undefined));
  const mark = Object.keys(shapes).find(member => Object.hasOwn(given, member));
  const allowed = mark === undefined ? [...words, 'stop'] : [mark, ...(shapes[mark] ?? [])];
  for (const [member, value] of Object.entries(given)) {
    const [isRight, takes] = (Object.hasOwn(checks, member) ? checks[member] : undefined) ?? [];
    if (isRight === undefined)
      throw new TypeError(`${name}.${member} is not a member of a turn${didYouMean(member, Object.keys(checks))}`);
    if (!allowed.includes(member))
      throw new TypeError(
        `${name}.${member} cannot be combined with ${mark ?? 'an answer that ends normally'}, only ${allowed.join(', ')}`,
      );
    if (!isRight(value)) throw new TypeError(`${name}.${member} must be ${takes}, not ${show(value)}`);
  }
  if (mark === undefined && !['text', 'tools', 'stop'].some(member => Object.hasOwn(given, member)))
    throw new TypeError(
      `${name} must have text, tools or one of ${Object.keys(shapes).join(', ')}, and is ${show(turn)}`,
    );
}

function isCall(value: unknown): boolean {
  if (!isObject(value)) return false;
  if ('shell' in value) return isText(value.shell);
  if ('read' in value) return isText(value.read);
  if ('write' in value) return isObject(value.write) && isText(value.write.path) && isText(value.write.content);
  if ('mcp' in value) return isObject(value.mcp) && isText(value.mcp.server) && isText(value.mcp.tool);
  const isNamed = isText(value.name) || typeof value.name === 'function';
  return isNamed && ('input' in value || isText(value.inputText));
}
