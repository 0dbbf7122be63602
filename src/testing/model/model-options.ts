import { isObject } from '../../base/json.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import { show } from '../server/shown-value.ts';
import type { ModelRequest } from './model-request.ts';
import type { ModelUsage } from './script/turn.ts';

export interface ModelServerOptions {
  /** The key that requests must carry. Others get the API's own response to a wrong key. @default any key, or none */
  readonly apiKey?: string | undefined;
  /** The existing models. Others are not found. @default any name */
  readonly models?: readonly string[] | undefined;
  /** Whether a program sends a request for itself. `isKnown` is the server's own answer. @default `isKnown` */
  readonly isSide?: ((request: ModelRequest, isKnown: boolean) => boolean) | undefined;
  /** For turns that do not set it. @default estimated, at four characters a token */
  readonly usage?: Partial<ModelUsage> | undefined;
}

type Check = readonly [isRight: (value: unknown) => boolean, takes: string];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Members of `usage`, in turns and in options. */
export const usageCheck: Check = [
  value =>
    isObject(value) &&
    Object.entries(value).every(
      ([name, count]) =>
        ['input', 'output', 'cached', 'reasoning'].includes(name) && Number.isInteger(count) && Number(count) >= 0,
    ),
  'an object of whole numbers from 0: input, output, cached, reasoning',
];

const checks: Readonly<Record<string, Check>> = {
  apiKey: [isText, 'a string that is not empty'],
  models: [value => Array.isArray(value) && value.every(isText), 'a list of strings'],
  isSide: [value => typeof value === 'function', 'a function'],
  usage: usageCheck,
};

/** Throws TypeError with a sentence that names the option, and never its value if that is a key. */
export function checkModelOptions(options: unknown): void {
  if (!isObject(options))
    throw new TypeError(`the options of startModelServer must be an object, not ${show(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const [isRight, takes] = (Object.hasOwn(checks, name) ? checks[name] : undefined) ?? [];
    if (isRight === undefined)
      throw new TypeError(
        `${name} is not an option of startModelServer. Options: ${Object.keys(checks).join(', ')}${didYouMean(name, Object.keys(checks))}`,
      );
    if (value !== undefined && !isRight(value))
      throw new TypeError(`${name} must be ${takes}${name === 'apiKey' ? '' : `, not ${show(value)}`}`);
  }
}
