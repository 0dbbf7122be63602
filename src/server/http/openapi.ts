import type { Hono } from 'hono';
import { z } from 'zod';
import { version } from '../../base/version.ts';
import { agentQuerySchema, agentsAnswerSchema } from '../../contract/agents.ts';
import { artifactAnswerSchema } from '../../contract/artifacts.ts';
import { configSchema } from '../../contract/config.ts';
import {
  cancelSchema,
  createRunAnswerSchema,
  createRunSchema,
  followupAnswerSchema,
  followupSchema,
  leaseAnswerSchema,
  leaseReleasedSchema,
  leaseSchema,
} from '../../contract/create.ts';
import { environmentQuerySchema, environmentsAnswerSchema } from '../../contract/environments.ts';
import { type ErrorCode, errorCodeEntry } from '../../contract/error-codes.ts';
import { eventPageSchema, eventQuerySchema, eventSchema } from '../../contract/events.ts';
import { headerNames } from '../../contract/headers.ts';
import { listQuerySchema } from '../../contract/list-query.ts';
import { pageSchema } from '../../contract/page.ts';
import { problemSchema } from '../../contract/problem.ts';
import { apiPrefix, type RouteId, routeSummaries, routes } from '../../contract/routes.ts';
import { runSchema } from '../../contract/run.ts';
import { sizes } from '../../contract/sizes.ts';
import type { HttpEnv, HttpParts } from './app.ts';

interface Operation {
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  /** The body may be left out. */
  readonly isBodyOptional?: boolean;
  /** JSON of this shape, text, or the address of it. */
  readonly answer: z.ZodType | 'text' | 'redirect';
  /** The same as a stream of server-sent events. */
  readonly streams?: boolean;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Beside those that every address may answer with. */
  readonly errors: readonly ErrorCode[];
}

/** The shapes that have a name in the document, so that a generator of clients names its types after them. */
const namedSchemas = z.registry<{ readonly id: string }>();
namedSchemas.add(runSchema, { id: 'Run' });
namedSchemas.add(pageSchema, { id: 'RunPage' });
namedSchemas.add(eventSchema, { id: 'RunEvent' });
namedSchemas.add(eventPageSchema, { id: 'EventPage' });
namedSchemas.add(createRunSchema, { id: 'CreateRun' });
namedSchemas.add(createRunAnswerSchema, { id: 'CreateRunAnswer' });
namedSchemas.add(configSchema, { id: 'AgentConfig' });
namedSchemas.add(problemSchema, { id: 'Problem' });
const nameAddress = (name: string) => `#/components/schemas/${name}`;

const waitHeader = {
  [headerNames.prefer]: `wait=N: hold the answer until something changes or N seconds pass (N is capped at ${sizes.waitSeconds})`,
};
const bodyErrors = ['payload_too_large', 'unsupported_media_type'] as const;
const commonErrors = ['authentication_required', 'method_not_allowed', 'internal_error'] as const;

const create: Operation = {
  headers: {
    [headerNames.idempotencyKey]: `1 to ${sizes.idempotencyKeyCharacters} visible ASCII characters. The same key with the same body answers with the same run; with another body 422`,
    [headerNames.source]: 'What starts the run; API when absent',
  },
  body: createRunSchema,
  answer: createRunAnswerSchema,
  answerHeaders: {
    Location: 'Address of the run',
    [headerNames.idempotentReplayed]: 'true when the run was made by an earlier request',
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
    headers: { 'If-None-Match': 'A version seen before; needed to wait', ...waitHeader },
    answer: runSchema,
    answerHeaders: { ETag: 'Version of the run: moves with state, message, result, skill and cancel request' },
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
        'The same key with the same message to the same run sends it once; with another message 422',
    },
    body: followupSchema,
    answer: followupAnswerSchema,
    answerHeaders: { [headerNames.idempotentReplayed]: 'true when the message was sent by an earlier request' },
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
      'Last-Event-ID':
        'Of a stream of server-sent events (Accept: text/event-stream): the last event that came; counts more than after',
    },
    answer: eventPageSchema,
    streams: true,
    errors: ['invalid_request', 'resource_not_found'],
  },
  readResult: {
    answer: 'text',
    answerHeaders: { [headerNames.resultBytes]: 'How many bytes of UTF-8 the whole text has' },
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
};

/** GET /openapi.json: the OpenAPI 3.1 document, made from the contract's schemas and tables. No key is needed. */
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
  return {
    openapi: '3.1.0',
    info: {
      title: 'agent-run',
      version,
      description: 'Starts agent runs, follows them and keeps what happened.',
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

const locationHeader = { Location: { description: 'Where to go', schema: { type: 'string' } } };

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
      required: false,
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
  const content =
    operation.answer === 'redirect'
      ? undefined
      : operation.answer === 'text'
        ? { 'text/plain': { schema: { type: 'string' } } }
        : {
            'application/json': { schema: printSchema(operation.answer) },
            ...(operation.streams === true ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
          };
  const headers = Object.entries(operation.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
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
        ? { 302: { description: 'The address is in Location', headers: locationHeader } }
        : { 200: { description: 'Done', headers: Object.fromEntries(headers), content } }),
      ...printErrors([...operation.errors, ...commonErrors]),
    },
  };
}

/** An object stands in a query as `name[key]=value`, which is not what OpenAPI takes for granted. */
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

/** Members that are not known may stand anywhere, in answers too: what is read as input says so, and our answers have no defaults. */
const printing = { io: 'input', unrepresentable: 'any' } as const;

function printNamedSchemas() {
  const { schemas } = z.toJSONSchema(namedSchemas, { ...printing, uri: nameAddress });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [name, schema]),
  );
}

/** JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
function printSchema(schema: z.core.$ZodType) {
  const name = namedSchemas.get(schema)?.id;
  if (name !== undefined) return { $ref: nameAddress(name) };
  const { $schema: _dialect, ...printed } = z.toJSONSchema(schema, printing);
  return printed;
}
