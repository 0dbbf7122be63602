import type { z } from 'zod';
import { isObject, type JsonObject } from '../../base/json.ts';
import { sizes } from '../../contract/sizes.ts';
import { checkValue } from '../fault-text.ts';
import { invalidRequest, RequestError } from './problem.ts';

/**
 * Reads a JSON object from a request. The framework's own reader answers text for malformed JSON, takes invalid UTF-8 and
 * sees a missing body as `{}`. Throws RequestError: 413 before more than the limit is read, 415, 400.
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<JsonObject> {
  const body = await readOptionalJsonBody(request, limitBytes);
  if (body === undefined) throw invalidRequest([{ path: 'body', message: 'is missing; send a JSON object' }]);
  return body;
}

/** The same where a body may be left out: undefined when there is none, whatever the request says of its type. */
export async function readOptionalJsonBody(request: Request, limitBytes: number): Promise<JsonObject | undefined> {
  const bytes = await readBytes(request, limitBytes);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new RequestError(
      'unsupported_media_type',
      `Content-Type is ${type === '' ? 'missing' : JSON.stringify(type)}; send application/json`,
    );
  const body = parseJson(decodeUtf8(bytes));
  if (!isObject(body)) throw invalidRequest([{ path: 'body', message: 'is no JSON object' }]);
  refuseHarm(body);
  return body;
}

/** Parses with a schema. Throws RequestError with every fault and its path. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const checked = checkValue(schema, value);
  if ('data' in checked) return checked.data;
  throw invalidRequest(checked.faults.map(({ path, message }) => ({ path: path.join('.') || 'body', message })));
}

/** The same for the parameters of an address: one that is given many times has one name, and no numbers. */
export function parseQuery<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const checked = checkValue(schema, value);
  if ('data' in checked) return checked.data;
  throw invalidRequest(
    checked.faults.map(({ path, message }) => ({
      path: path.filter(part => typeof part !== 'number').join('.'),
      message,
    })),
  );
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new RequestError('payload_too_large', `the body is longer than ${limitBytes} bytes`, {
      headers: { Connection: 'close' },
    });
  if (Number(request.headers.get('Content-Length') ?? 0) > limitBytes) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest([{ path: 'body', message: 'is not UTF-8' }]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where =
      error instanceof Error ? /at position \d+( \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined;
    throw invalidRequest([{ path: 'body', message: `is no JSON${where === undefined ? '' : `: it breaks ${where}`}` }]);
  }
}

/**
 * Refuses what cannot be carried through: what is nested too deep, and the name `__proto__`, which a validator leaves out in silence and
 * which would change an object where it is assigned.
 */
function refuseHarm(body: JsonObject): void {
  let level: readonly object[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > sizes.jsonLevels)
      throw invalidRequest([{ path: 'body', message: `is nested deeper than ${sizes.jsonLevels} levels` }]);
    const harmful = level.find(value => Object.hasOwn(value, '__proto__'));
    if (harmful !== undefined)
      throw invalidRequest([
        {
          path: [...(pathTo(harmful, body) ?? []), '__proto__'].join('.'),
          message: 'is a name that nothing can have here',
        },
      ]);
    level = level.flatMap(value => Object.values(value).filter(isTree));
  }
}

function pathTo(wanted: object, from: object): readonly string[] | undefined {
  if (wanted === from) return [];
  for (const [name, member] of Object.entries(from)) {
    const rest = isTree(member) ? pathTo(wanted, member) : undefined;
    if (rest !== undefined) return [name, ...rest];
  }
  return undefined;
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
