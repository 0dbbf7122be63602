import type { z } from 'zod';
import { isObject, type JsonObject } from '../../base/json.ts';
import { checkValue } from '../fault-text.ts';
import { invalidRequest, RequestError } from './problem.ts';

/**
 * Reads a JSON object from a request. The framework's own reader answers text for malformed JSON, takes invalid UTF-8 and
 * sees a missing body as `{}`. Throws RequestError: 413 before more than the limit is read, 415, 400.
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<JsonObject> {
  const bytes = await readBytes(request, limitBytes);
  if (bytes.length === 0) throw invalidRequest([{ path: 'body', message: 'is missing; send a JSON object' }]);
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new RequestError(
      'unsupported_media_type',
      `Content-Type is ${type === '' ? 'missing' : JSON.stringify(type)}; send application/json`,
    );
  const body = parseJson(decodeUtf8(bytes));
  if (!isObject(body)) throw invalidRequest([{ path: 'body', message: 'is no JSON object' }]);
  refuseDepth(body);
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

/** Whatever walks through a body later does it by recursion. */
const deepestLevel = 100;

function refuseDepth(body: JsonObject): void {
  let level: readonly unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestLevel)
      throw invalidRequest([{ path: 'body', message: `is nested deeper than ${deepestLevel} levels` }]);
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}
