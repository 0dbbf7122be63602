import type * as z from 'zod';
import { isObject, type JsonObject } from '../../base/json.ts';
import { BodyTooLongError, readChunks, readBytes as readWhole, smallBytes } from '../../border/answers.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { checkValue } from '../config/fault-text.ts';
import { invalidRequest, RequestError } from './problem-response.ts';

/**
 * Bytes above the limit that are read and discarded. Clients that send the whole body before reading an answer
 * (Python's) would otherwise see a broken connection, not the 413.
 */
const discardedBytes = 64 * 1024 * 1024;

/**
 * Reads a JSON object from a request. The framework's own reader answers with text for malformed JSON, accepts
 * invalid UTF-8 and takes a missing body for `{}`. Throws RequestError: 413 before keeping more than the limit, 415,
 * 400.
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<JsonObject> {
  const body = await readOptionalJsonBody(request, limitBytes);
  if (body === undefined) throw invalidRequest([{ path: 'body', message: 'is missing; send a JSON object' }]);
  return body;
}

/** Reads an optional body: undefined if it is empty, whatever its content type. */
export async function readOptionalJsonBody(request: Request, limitBytes: number): Promise<JsonObject | undefined> {
  const bytes = await readBytes(request, limitBytes);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get('Content-Type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new RequestError(
      'unsupported_media_type',
      `Content-Type is ${type === '' ? 'missing' : JSON.stringify(type)}; send application/json`,
    );
  const text = decodeUtf8(bytes);
  refuseHuge(bytes);
  const body = parseJson(text);
  if (!isObject(body)) throw invalidRequest([{ path: 'body', message: 'must be a JSON object' }]);
  const path = findProtoName(body);
  if (path !== undefined) throw invalidRequest([{ path: path.join('.'), message: 'must not be used as a name' }]);
  return body;
}

/** Parses with a schema. Throws RequestError with the first faults and their paths. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const checked = checkValue(schema, value);
  if ('data' in checked) return checked.data;
  const issues = checked.faults.map(({ path, message }) => ({ path: path.join('.') || 'body', message }));
  throw invalidRequest(issues, checked.count);
}

/** Parses query parameters. A repeated parameter is reported by its name, without indexes. */
export function parseQuery<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const checked = checkValue(schema, value);
  if ('data' in checked) return checked.data;
  const issues = checked.faults.map(({ path, message }) => ({
    path: path.filter(part => typeof part !== 'number').join('.'),
    message,
  }));
  throw invalidRequest(issues, checked.count);
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const mostBytes = limitBytes + discardedBytes;
  const tooLarge = (headers: Readonly<Record<string, string>> = {}) =>
    new RequestError('payload_too_large', `the body must be at most ${limitBytes} bytes`, { headers });
  const length = Number(request.headers.get('Content-Length') ?? Number.NaN);
  if (length > mostBytes) throw tooLarge({ Connection: 'close' });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // The listener reads a body of known length without a stream, which takes a fraction of the time.
    if (length <= Math.min(limitBytes, smallBytes)) return await readWhole(request, limitBytes);
    for await (const chunk of readChunks(request, mostBytes)) {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch (error) {
    if (error instanceof BodyTooLongError) throw tooLarge({ Connection: 'close' });
    // The client has left, so this is not an error of the server.
    throw new RequestError('invalid_request', 'the connection closed before the whole body arrived');
  }
  if (size > limitBytes) throw tooLarge();
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest([{ path: 'body', message: 'must be UTF-8' }]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where =
      error instanceof Error ? /at position \d+( \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined;
    throw invalidRequest([
      { path: 'body', message: `is not valid JSON${where === undefined ? '' : `: error ${where}`}` },
    ]);
  }
}

/**
 * Rejects JSON that is nested too deeply or has too many values before it is parsed. Parsing and validation take time
 * for each value, and a few megabytes hold millions. The parser reports invalid JSON.
 */
function refuseHuge(bytes: Uint8Array): void {
  const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
  let [levels, values] = [0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at += 1;
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    } else if (byte === comma) values += 1;
    // [ and {, ] and } differ in the same bit.
    else if ((byte | 0x20) === 0x7b) {
      [levels, values] = [levels + 1, values + 1];
      if (levels > sizes.jsonLevels + 1)
        throw invalidRequest([{ path: 'body', message: `must not be nested deeper than ${sizes.jsonLevels} levels` }]);
    } else if ((byte | 0x20) === 0x7d) levels -= 1;
    if (values > sizes.jsonValues)
      throw invalidRequest([{ path: 'body', message: `must have at most ${sizes.jsonValues} values` }]);
  }
}

/** Finds the name `__proto__`. The validator drops it silently, and assigning it would change an object. */
function findProtoName(value: object): readonly string[] | undefined {
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') return [name];
    const rest = typeof member === 'object' && member !== null ? findProtoName(member) : undefined;
    if (rest !== undefined) return [name, ...rest];
  }
  return undefined;
}
