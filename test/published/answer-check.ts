/** Compares answers with the published shapes and with the server's own document, and lists every difference. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { listOperations, type PublishedOperation } from './operations.ts';
import { createShapes } from './shapes.ts';
import type { PublishedClient } from './words.ts';

/** An answer as it came. */
export interface Visit {
  readonly method: string;
  /** Below the prefix, without a query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  /** Undefined where it is not JSON. */
  readonly body: unknown;
}

/** What one published client would find wrong with answers, a line each. */
export function createPublishedCheck(client: PublishedClient): (visit: Visit) => readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, discriminator: true, strict: true, strictRequired: false });
  const checks = listOperations(client).map(operation => ({
    operation,
    check: operation.answer && ajv.compile(operation.answer),
  }));
  const checkError = ajv.compile(createShapes(client).error);
  return visit => {
    const { method, status, contentType, body } = visit;
    const found = checks.find(({ operation }) => operation.method === method && fits(operation.path, visit.path));
    const name = `${method} ${found?.operation.path ?? visit.path} ${status}`;
    if (status >= 400) {
      const isProblem = contentType.startsWith('application/problem+json');
      return [
        ...(isProblem ? [] : [`${name}: the content type is ${contentType}`]),
        ...((body as { readonly status?: unknown } | undefined)?.status === status
          ? []
          : [`${name} /status: is another than that of the answer`]),
        ...explain(name, checkError, body),
      ];
    }
    if (found === undefined || status === 304) return [];
    const { operation, check } = found;
    return [
      ...(status === operation.status ? [] : [`${name}: success is ${operation.status}`]),
      ...(check === undefined ? [] : explain(name, check, body)),
    ];
  };
}

/** What is not as the OpenAPI document of the server says: an answer's status, or its shape. */
export function createDocumentCheck(document: OpenApiDocument): (visit: Visit) => readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.addSchema(document, 'document');
  return ({ method, path, status, contentType, body }) => {
    const exact = Object.hasOwn(document.paths, path) ? path : undefined;
    const template = exact ?? Object.keys(document.paths).find(known => fits(known, path)) ?? path;
    const operation = document.paths[template]?.[method.toLowerCase()];
    // Not an address of the server, or not with this method.
    if (operation === undefined) return [];
    const name = `${method} ${template} ${status}`;
    const answer = operation.responses[status];
    if (answer === undefined) return [`${name}: the document has no such status`];
    const type = contentType.split(';')[0] ?? '';
    if (answer.content !== undefined && answer.content[type] === undefined)
      return [`${name}: the document has no content type ${type}`];
    if (body === undefined || answer.content === undefined) return [];
    const pointer = ['paths', template, method.toLowerCase(), 'responses', `${status}`, 'content', type, 'schema']
      .map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const check = ajv.getSchema(`document#/${pointer}`) ?? ajv.compile({ $ref: `document#/${pointer}` });
    return explain(name, check as ValidateFunction, body);
  };
}

interface DocumentOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly $ref?: string; readonly properties?: Members } }>
    >;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Members }>>;
}
type Members = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: Members }>> };
}

/** Whether a path is one of a template, such as `/agent/runs/{runId}`. */
export function fits(template: PublishedOperation['path'], path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function explain(name: string, check: ValidateFunction, body: unknown): readonly string[] {
  if (check(body)) return [];
  return (check.errors ?? []).map(error => `${name} ${nameMember(error.instancePath)}: ${describe(error, body)}`);
}

/** Without the places in lists: many of one kind are one fault. */
function nameMember(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*') || '/';
}

function describe({ keyword, message, params, instancePath }: ErrorObject, body: unknown): string {
  if (keyword === 'enum') return `unknown word ${JSON.stringify(valueAt(body, instancePath))}`;
  if (keyword === 'discriminator') return `unknown ${params.tag} ${JSON.stringify(params.tagValue)}`;
  return `${message}`;
}

function valueAt(body: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    body,
  );
}
