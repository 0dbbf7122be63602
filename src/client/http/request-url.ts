/** Builds the address of a request from a base address, a path and a query. */
import { messageOf } from '../../base/cause.ts';
import { plainLine } from '../../border/terminal-text.ts';
import { type RouteId, routePath } from '../../contract/tables/routes.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { isPlain } from '../options/options.ts';

/**
 * A query value. Arrays repeat the key, members of objects become `key[member]`, undefined is omitted, null is sent
 * empty.
 */
export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [member: string]: QueryValue };
export type Query = { readonly [name: string]: QueryValue };

/**
 * Without the `?`; '' if nothing is left. Throws ConfigurationError for an invalid date, a function, a cycle, and an
 * object that is not plain.
 */
export function encodeQuery(query: object): string {
  try {
    return Object.entries(query)
      .flatMap(([name, value]) => encodeValue(name, value))
      .join('&');
  } catch (cause) {
    throw new ConfigurationError(`the query cannot be sent: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function encodeValue(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`${name} is a ${typeof value}`);
  if (Array.isArray(value)) return value.flatMap(item => encodeValue(name, item));
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new TypeError(`${name} is an invalid date`);
    return [encodePair(name, value.toISOString())];
  }
  if (isPlain(value)) return Object.entries(value).flatMap(([key, item]) => encodeValue(`${name}[${key}]`, item));
  if (typeof value === 'object' && value !== null) throw new TypeError(`${name} is not a plain object`);
  return [encodePair(name, value === null ? '' : String(value))];
}

function encodePair(name: string, text: string): string {
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`;
}

/** The path of a route with its parts filled in. Throws ConfigurationError for a part that would change the route. */
export function fillRoute(id: RouteId, parts: Readonly<Record<string, string>>): string {
  // Encoding is not enough: some proxies decode the path again.
  for (const [name, value] of Object.entries(parts))
    if (typeof value !== 'string' || /[/\\]/.test(value))
      throw new ConfigurationError(`${name} must be a string without slashes, not ${JSON.stringify(value)}`);
  try {
    return routePath(id, parts);
  } catch (error) {
    throw new ConfigurationError(messageOf(error), { cause: error });
  }
}

/** The whole address. Throws ConfigurationError for a path that leads out of `baseUrl`. */
export function joinAddress(baseUrl: string, path: string, query: object = {}): string {
  if (typeof path !== 'string') throw new ConfigurationError(`the path must be a string, not ${String(path)}`);
  const mark = path.indexOf('?');
  const [route, ownQuery] = mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
  const refuse = (why: string): never => {
    throw new ConfigurationError(`the path ${JSON.stringify(path)} ${why}`);
  };
  if (!route.startsWith('/') || route.startsWith('//')) refuse('must start with exactly one "/"');
  if (/[\\#\s]/.test(path) || plainLine(path) !== path)
    refuse('contains a backslash, "#", space or control character; encode it');
  // Some proxies decode slashes before they split the path into segments.
  if (/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i.test(route))
    refuse('must not contain a "." or ".." segment, which would change the URL');
  const all = [ownQuery, encodeQuery(query)].filter(part => part !== '').join('&');
  return `${baseUrl}${route}${all === '' ? '' : `?${all}`}`;
}
