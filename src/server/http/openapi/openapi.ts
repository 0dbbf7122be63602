import type { Hono } from 'hono';
import * as z from 'zod';
import { version } from '../../../base/process/version.ts';
import { agentQuerySchema, agentsAnswerSchema } from '../../../contract/agents.ts';
import { artifactAnswerSchema } from '../../../contract/artifacts.ts';
import {
  cancelSchema,
  createRunAnswerSchema,
  createRunSchema,
  followupAnswerSchema,
  followupSchema,
  leaseAnswerSchema,
  leaseReleasedSchema,
  leaseSchema,
} from '../../../contract/create.ts';
import { environmentQuerySchema, environmentsAnswerSchema } from '../../../contract/environments.ts';
import { eventPageSchema, eventQuerySchema } from '../../../contract/events.ts';
import { listQuerySchema } from '../../../contract/list-query.ts';
import { pageSchema } from '../../../contract/page.ts';
import { problemSchema } from '../../../contract/problem.ts';
import { conversationRedirectSchema, sessionRedirectSchema } from '../../../contract/redirects.ts';
import { runSchema } from '../../../contract/run.ts';
import { type ErrorCode, errorCodeEntry } from '../../../contract/tables/error-codes.ts';
import { headerNames } from '../../../contract/tables/headers.ts';
import { apiPrefix, type RouteId, routeSummaries, routes } from '../../../contract/tables/routes.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import type { HttpEnv, HttpParts } from '../app.ts';
import { printNamedSchemas, printSchema } from './openapi-schemas.ts';

interface Operation {
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  /** The body may be omitted. */
  readonly isBodyOptional?: boolean;
  /** JSON of this shape, text, the bytes of a file, or an address in `Location`. */
  readonly answer: z.ZodType | 'text' | 'bytes' | 'redirect';
  /** Also available as a stream of server-sent events. */
  readonly streams?: boolean;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Answers 304 if `If-None-Match` has the current version. */
  readonly isConditional?: boolean;
  /** Needs no key. */
  readonly isOpen?: boolean;
  /** In addition to the errors that every address may return. */
  readonly errors: readonly ErrorCode[];
}

const waitHeader = {
  [headerNames.prefer]: `wait=N: hold the answer until something changes or N seconds pass (N is capped at ${sizes.waitSeconds})`,
};
const bodyErrors = ['payload_too_large', 'unsupported_media_type'] as const;

const create: Operation = {
  headers: {
    [headerNames.idempotencyKey]: `1 to ${sizes.idempotencyKeyCharacters} visible ASCII characters. Repeating a key with the same body returns the same run; with a different body it returns 422`,
    [headerNames.source]: 'What starts the run; API if omitted',
  },
  body: createRunSchema,
  answer: createRunAnswerSchema,
  answerHeaders: {
    Location: 'URL of the run',
    [headerNames.idempotentReplayed]: 'true if an earlier request created the run',
  },
  errors: [
    'invalid_request',
    'resource_not_found',
    'conflict',
    ...bodyErrors,
    'operation_not_supported',
    'resource_unavailable',
  ],
};

const operations: Readonly<Record<RouteId, Operation>> = {
  createRun: create,
  createRunOldPath: create,
  listRuns: { query: listQuerySchema, answer: pageSchema, errors: ['invalid_request'] },
  readRun: {
    headers: { 'If-None-Match': 'A version seen before; required to wait', ...waitHeader },
    answer: runSchema,
    answerHeaders: { ETag: 'Version of the run: changes with state, message, result, skill and cancel request' },
    isConditional: true,
    errors: ['resource_not_found'],
  },
  cancelRun: {
    body: cancelSchema,
    isBodyOptional: true,
    answer: z.string().describe('The id of the run'),
    errors: ['invalid_request', 'resource_not_found', ...bodyErrors],
  },
  sendFollowup: {
    headers: {
      [headerNames.idempotencyKey]:
        'Repeating a key with the same message sends it once; with a different message it returns 422',
    },
    body: followupSchema,
    answer: followupAnswerSchema,
    answerHeaders: { [headerNames.idempotentReplayed]: 'true if an earlier request sent the message' },
    errors: ['invalid_request', 'resource_not_found', ...bodyErrors, 'operation_not_supported', 'resource_unavailable'],
  },
  renewLease: {
    body: leaseSchema,
    answer: leaseAnswerSchema,
    errors: ['invalid_request', 'resource_not_found', ...bodyErrors],
  },
  releaseLease: { answer: leaseReleasedSchema, errors: ['invalid_request', 'resource_not_found'] },
  listEvents: {
    query: eventQuerySchema,
    headers: {
      ...waitHeader,
      'Last-Event-ID': 'For server-sent events (Accept: text/event-stream): the last event received; overrides after',
    },
    answer: eventPageSchema,
    streams: true,
    errors: ['invalid_request', 'resource_not_found'],
  },
  readResult: {
    answer: 'text',
    answerHeaders: { [headerNames.resultBytes]: 'Size of the whole text in bytes of UTF-8' },
    errors: ['resource_not_found', 'no_result'],
  },
  listAgents: {
    query: agentQuerySchema,
    answer: agentsAnswerSchema,
    errors: ['invalid_request', 'resource_not_found', 'resource_unavailable'],
  },
  listEnvironments: { query: environmentQuerySchema, answer: environmentsAnswerSchema, errors: ['invalid_request'] },
  readArtifact: { answer: artifactAnswerSchema, errors: ['resource_not_found'] },
  downloadArtifact: { answer: 'redirect', errors: ['resource_not_found'] },
  redirectSession: { answer: sessionRedirectSchema, isOpen: true, errors: [] },
  redirectConversation: { answer: conversationRedirectSchema, isOpen: true, errors: [] },
};

/** Outside the prefix. `download_url` and `downloadArtifact` use this address. */
const filePath = '/artifacts/{artifactUid}';
const fileOperation: Operation = {
  query: z.object({ token: z.string().describe('The token from the link; it expires') }),
  answer: 'bytes',
  isOpen: true,
  errors: ['not_authorized', 'resource_not_found'],
};

/** GET /openapi.json: the OpenAPI 3.1 document, made from the contract's schemas and tables. Needs no key. */
export function addOpenApi(app: Hono<HttpEnv>, { publicUrl }: Pick<HttpParts, 'publicUrl'>): void {
  app.get('/openapi.json', c => c.json(printOpenApi(publicUrl())));
}

function printOpenApi(publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries(routes)) {
    const operation = operations[id as RouteId];
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: {
        operationId: id,
        summary: routeSummaries[id as RouteId],
        ...printOperation(operation, route.path),
      },
    };
  }
  paths[filePath] = {
    servers: [{ url: publicUrl }],
    get: { operationId: 'readFile', summary: 'Read the file', ...printOperation(fileOperation, filePath) },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'agent-run',
      version,
      description: 'Starts agent runs, follows them and keeps their history.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${apiPrefix}` }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: printNamedSchemas(),
    },
  };
}

const locationHeader = { Location: { description: 'Redirect target', schema: { type: 'string' } } };

function printOperation(operation: Operation, path: string) {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    })),
    ...Object.entries(operation.query?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: !z.safeParse(schema, undefined).success,
      ...printQuerySchema(schema),
    })),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  const content = printContent(operation);
  const headers = Object.entries(operation.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    ...(operation.isOpen === true ? { security: [] } : {}),
    parameters,
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.isBodyOptional !== true,
            content: { 'application/json': { schema: printSchema(operation.body) } },
          },
        }),
    responses: {
      ...(content === undefined
        ? { 302: { description: 'The Location header has the address', headers: locationHeader } }
        : { 200: { description: 'Done', headers: Object.fromEntries(headers), content } }),
      ...(operation.isConditional === true ? { 304: { description: 'Unchanged since If-None-Match' } } : {}),
      ...printErrors([
        ...operation.errors,
        ...(operation.isOpen === true ? [] : (['authentication_required'] as const)),
        'internal_error',
      ]),
    },
  };
}

/** Undefined if the answer is a redirect. */
function printContent({ answer, streams }: Operation) {
  if (answer === 'redirect') return undefined;
  if (answer === 'text') return { 'text/plain': { schema: { type: 'string' } } };
  if (answer === 'bytes') return { 'application/octet-stream': {} };
  return {
    'application/json': { schema: printSchema(answer) },
    ...(streams === true ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
  };
}

/** A query writes an object as `name[key]=value`, which is not OpenAPI's default. */
function printQuerySchema(schema: z.core.$ZodType) {
  const printed = printSchema(schema);
  return {
    schema: printed,
    ...('type' in printed && printed.type === 'object' ? { style: 'deepObject', explode: true } : {}),
  };
}

function printErrors(codes: readonly ErrorCode[]) {
  const statusOf = (code: ErrorCode) => errorCodeEntry(code).status ?? 500;
  return Object.fromEntries(
    codes.map(code => [
      statusOf(code),
      {
        description: codes.filter(other => statusOf(other) === statusOf(code)).join(', '),
        content: { 'application/problem+json': { schema: printSchema(problemSchema) } },
      },
    ]),
  );
}
