import type { CreateRunAnswer, CreateRunBody } from '../../../contract/create.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { ServedRun } from '../../../contract/run.ts';
import { errorCodeEntry } from '../../../contract/tables/error-codes.ts';

const runId = '0198a2f4-5c1e-7d3a-9b60-3f1c2d4e5a6b';
const server = 'https://agents.example.com';
const prompt = 'Fix the failing test in src/cart.ts.';
const title = 'Fix the failing test';
const metadata = { team: 'shop' };

const request: CreateRunBody = {
  prompt,
  title,
  config: { name: 'nightly', base_prompt: 'Change as little as possible.' },
  metadata,
};

const response: CreateRunAnswer = {
  run_id: runId,
  task_id: runId,
  state: 'QUEUED',
  session_link: `${server}/runs/${runId}?token=1790000000000.c2lnbmF0dXJl`,
};

const run: ServedRun = {
  run_id: runId,
  task_id: runId,
  title,
  prompt,
  state: 'FAILED',
  status_message: {
    message: 'the setup command `npm ci` ended with exit code 1',
    error_code: 'environment_setup_failed',
    retryable: false,
  },
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:01:30.000Z',
  started_at: '2026-01-31T12:00:01.000Z',
  finished_at: '2026-01-31T12:01:30.000Z',
  run_time: 'PT89S',
  attempt: 1,
  source: 'API',
  execution_location: 'REMOTE',
  creator: { type: 'service_account', uid: 'env', display_name: 'environment' },
  agent_config: {
    name: 'nightly',
    model_id: 'claude-haiku-4-5',
    base_prompt: 'Change as little as possible.',
    harness: { type: 'claude', name: 'claude' },
  },
  conversation_id: runId,
  metadata,
  last_seq: 12,
  is_run_type_cancellable: true,
  artifacts: [],
};

const error: Problem = {
  type: `${server}/errors/invalid_request`,
  title: errorCodeEntry('invalid_request').title,
  status: 400,
  detail: 'prompt: is missing or empty',
  instance: '/api/v1/agent/runs',
  error: `${errorCodeEntry('invalid_request').title} (prompt: is missing or empty)`,
  retryable: false,
  trace_id: '0198a2f4-6f00-7c11-8d55-0a1b2c3d4e5f',
  issues: [{ path: 'prompt', message: 'is missing or empty' }],
};

/** Examples by the name of their shape. */
export const examples = { RunAgentRequest: request, RunAgentResponse: response, RunItem: run, Error: error } as const;
