import { describeCause } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { cancelBody, findTarget, parseJson, readChunks } from '../../border/answers.ts';
import { createRedactor } from '../../border/secrets.ts';
import type { ModelEndpoint } from '../harness/agents/adapter.ts';
import { explainFault, type FaultKind, faultOfStatus } from '../harness/agents/agent-fault.ts';
import type { Finding } from './finding.ts';
import { askModel, type ModelQuestion } from './model-question.ts';

const reachMs = 10_000;
const answerMs = 60_000;
/** Bytes of an answer to read for its error. */
const answerBytes = 256 * 1024;

interface Asked {
  readonly subject: string;
  readonly endpoint: ModelEndpoint;
  readonly model: string;
  /** The agent's name for people. */
  readonly title: string;
}

/** Checks whether the endpoint answers. The key is not sent. */
export async function checkReach({ subject, endpoint, ...asked }: Asked): Promise<Finding> {
  try {
    const answer = await fetch(endpoint.root, { redirect: 'manual', signal: AbortSignal.timeout(reachMs) });
    await cancelBody(answer);
    const { status } = answer;
    const target = findTarget(answer);
    // A redirect within the origin leads people to a page.
    if (status >= 300 && status < 400 && target !== undefined && target !== new URL(endpoint.root).origin)
      return {
        subject,
        status: 'warn',
        text: `${endpoint.root} is reachable but redirects to ${target} (status ${status})`,
        remedy: "set the harness's `endpoint.url` to the final address; use --call to ask the model",
      };
    return {
      subject,
      status: 'ok',
      text: `${endpoint.root} answers; the key and the model are checked only with --call`,
    };
  } catch (error) {
    return describeBreak({ subject, endpoint, ...asked }, error, reachMs);
  }
}

/** Sends the model one request, with the API and key of the harness. */
export async function checkCall(asked: Asked): Promise<Finding> {
  const { subject, endpoint, model } = asked;
  if (endpoint.keyType === 'oauth_token')
    return {
      subject,
      status: 'warn',
      text: 'the model was not asked, because only Claude Code can use its OAuth token',
      remedy: 'start a run with this harness to check the token',
    };
  const question = askModel(endpoint, model);
  try {
    let { status, said } = await send(question);
    // Newer OpenAI models know this limit only under another name.
    if (status === 400 && said.includes('max_completion_tokens') && 'max_tokens' in question.body) {
      const { max_tokens: max_completion_tokens, ...body } = question.body;
      ({ status, said } = await send({ ...question, body: { ...body, max_completion_tokens } }));
    }
    if (status < 300) return { subject, status: 'ok', text: `${model} at ${endpoint.root} answered` };
    if (status < 400)
      return {
        subject,
        status: 'fail',
        text: `${endpoint.root} redirects (status ${status}), and the key is not sent to another address`,
        remedy: "set the harness's `endpoint.url` to the final address",
      };
    return describeRefusal(asked, status, said);
  } catch (error) {
    return describeBreak(asked, error, answerMs);
  }
}

async function send({ url, headers, body }: ModelQuestion): Promise<{ status: number; said: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    // A redirect must not carry the key to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  });
  return { status: response.status, said: await readHead(response) };
}

/** Reads the start of an answer, because it may be endless. */
async function readHead(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(answer, Number.POSITIVE_INFINITY)) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > answerBytes) break;
  }
  return Buffer.concat(chunks).toString();
}

function describeRefusal({ subject, endpoint, model, title }: Asked, httpStatus: number, said: string): Finding {
  const byStatus = faultOfStatus(httpStatus);
  const fault: FaultKind = /API_KEY_INVALID|API key not valid/.test(said) ? 'auth' : byStatus;
  // A message about a key may quote a part of it.
  const message = fault === 'auth' ? '' : redactKeys(readMessage(said), endpoint);
  const names = { agent: title, model, endpoint: endpoint.root, key: endpoint.keyOrigin };
  const { text, remedy } = explainFault({ fault, httpStatus, message }, names);
  return { subject, status: 'fail', text, remedy };
}

/** All APIs answer `{error: {message}}`. Gemini sometimes wraps it in a list. */
function readMessage(said: string): string {
  const parsed = parseJson(said);
  const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (isObject(body) && isObject(body.error) && typeof body.error.message === 'string') return body.error.message;
  // An HTML page comes from a proxy.
  return said.replace(/<[^>]*>/g, ' ').slice(0, 300);
}

function redactKeys(text: string, { apiKey = '', headers = {} }: ModelEndpoint): string {
  return createRedactor([apiKey, ...Object.values(headers)]).redact(text);
}

function describeBreak({ subject, endpoint, model, title }: Asked, error: unknown, limitMs: number): Finding {
  const message =
    error instanceof Error && error.name === 'TimeoutError'
      ? `no answer within ${limitMs / 1000} s`
      : redactKeys(describeCause(error), endpoint);
  const names = { agent: title, model, endpoint: endpoint.root };
  const { text, remedy } = explainFault({ fault: 'network', message }, names);
  return { subject, status: 'fail', text, remedy };
}
