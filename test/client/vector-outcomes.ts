/**
 * What this client makes of the inputs in test/vectors. vectors.test.ts compares it with the files, and
 * scripts/vectors.ts writes it into them.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createApiError, UnexpectedResponseError } from '../../src/client/errors/answer-errors.ts';
import { AgentRunsError, ApiKeyError, ConnectionError, type ConnectionFault } from '../../src/client/errors/errors.ts';
import { ServerSentEventParser } from '../../src/client/following/server-sent-events.ts';
import {
  isProxyAnswer,
  isServiceAnswer,
  judgeFailure,
  mayBeDone,
  retryDelayMs,
} from '../../src/client/http/retry-rules.ts';
import { ApiError } from '../../src/client/index.ts';
import { parseSkillSpec, SkillSpecError } from '../../src/contract/tables/skill-spec.ts';
import type { SharedAnswers } from './scripted-fetch.ts';
import {
  type Following,
  findBaseUrl,
  followScript,
  type PageDocument,
  type RunAnswer,
  readPages,
  readRun,
  type Search,
  type Setup,
  type Start,
  searchRun,
  settleCreate,
} from './vector-calls.ts';

const folder = resolve(import.meta.dirname, '../vectors');

interface ErrorAnswer {
  /** @default GET */
  readonly method?: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Failure =
  | { readonly answer: ErrorAnswer }
  | { readonly connection: { readonly fault: ConnectionFault; readonly neverLeft: boolean } }
  | { readonly unexpected: { readonly cut: boolean } }
  | { readonly apiKey: { readonly retryable: boolean } }
  | { readonly other: 'of the client' | 'unforeseen' };

interface Delay {
  /** The headers of a 503; a connection fault without. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly random: number;
}

interface Givens {
  readonly 'base-urls': Setup;
  readonly 'create-settling': Start;
  readonly errors: ErrorAnswer;
  readonly following: Following;
  readonly 'list-pages': { readonly pages: readonly PageDocument[] };
  readonly 'retry-decisions': Failure;
  readonly 'retry-delays': Delay;
  readonly 'run-answers': RunAnswer;
  readonly 'run-search': Search;
  readonly 'server-sent-events': { readonly chunks: readonly string[] };
  readonly 'skill-specs': { readonly text: string };
}

export type VectorName = keyof Givens;

export interface VectorFile {
  /** Only in create-settling and run-search. */
  readonly shared?: SharedAnswers;
  readonly cases: readonly VectorCase[];
}

export interface VectorCase {
  readonly name: string;
  readonly given: unknown;
  readonly expected?: unknown;
}

type Outcomes = { readonly [Name in VectorName]: (given: Givens[Name], file: VectorFile) => unknown };

const outcomes: Outcomes = {
  'base-urls': findBaseUrl,
  'create-settling': (given, { shared }) => settleCreate(given, shared),
  errors: describeError,
  following: followScript,
  'list-pages': ({ pages }) => readPages(pages),
  'retry-decisions': decideRetry,
  'retry-delays': ({ headers, attempt, random }) => ({
    ms: retryDelayMs(headers === undefined ? closed : answerOf({ status: 503, headers }), attempt, now, () => random),
  }),
  'run-answers': readRun,
  'run-search': (given, { shared }) => searchRun(given, shared),
  'server-sent-events': readEvents,
  'skill-specs': readSkillSpec,
};

export const vectorNames = Object.keys(outcomes) as VectorName[];

export function vectorPath(name: VectorName): string {
  return join(folder, `${name}.json`);
}

export function readVectors(name: VectorName): VectorFile {
  return JSON.parse(readFileSync(vectorPath(name), 'utf8')) as VectorFile;
}

/** As JSON: without undefined members. */
export async function findOutcome(name: VectorName, file: VectorFile, { given }: VectorCase): Promise<unknown> {
  return JSON.parse(JSON.stringify(await outcomes[name](given as never, file)));
}

const now = Date.UTC(2030, 0, 1);
const closed = new ConnectionError('', { host: 'a.example.com', fault: 'closed', neverLeft: false });

function answerOf({ method = 'GET', status, headers = {}, body }: ErrorAnswer): ApiError {
  return createApiError({ method, path: '/agent/runs', status, headers: new Headers(headers), body });
}

function failureOf(given: Failure): unknown {
  if ('answer' in given) return answerOf(given.answer);
  if ('connection' in given) return new ConnectionError('', { host: 'a.example.com', ...given.connection });
  if ('apiKey' in given) return new ApiKeyError('', given.apiKey);
  if ('other' in given) return given.other === 'unforeseen' ? new TypeError('') : new AgentRunsError('');
  const { cut } = given.unexpected;
  const headers = new Headers();
  return new UnexpectedResponseError({
    method: 'GET',
    path: '/agent/runs',
    status: 200,
    headers,
    text: '',
    why: '',
    cut,
  });
}

function decideRetry(given: Failure): unknown {
  const failure = failureOf(given);
  const judged = { verdict: judgeFailure(failure), mayBeDone: mayBeDone(failure) };
  if (!(failure instanceof ApiError)) return judged;
  return { ...judged, isProxyAnswer: isProxyAnswer(failure), isServiceAnswer: isServiceAnswer(failure) };
}

function describeError(given: ErrorAnswer): unknown {
  const error = answerOf(given);
  const { name, code, title, detail, requestId, retryable, issues, isProxyResponse, message } = error;
  return {
    name,
    code,
    title,
    detail,
    requestId,
    retryable,
    issues: issues.length === 0 ? undefined : issues,
    isProxyResponse: isProxyResponse || undefined,
    message,
  };
}

function readSkillSpec({ text }: Givens['skill-specs']): unknown {
  try {
    const { owner, repo, target } = parseSkillSpec(text);
    return { owner, repo, ...target };
  } catch (error) {
    if (!(error instanceof SkillSpecError)) throw error;
    return { message: error.message };
  }
}

function readEvents({ chunks }: Givens['server-sent-events']): unknown {
  const parser = new ServerSentEventParser();
  return { messages: chunks.flatMap(chunk => parser.read(chunk)) };
}
