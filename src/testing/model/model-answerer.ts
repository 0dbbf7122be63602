import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../../base/cause.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { anthropicApi } from './apis/anthropic-api.ts';
import { chatApi } from './apis/chat-api.ts';
import { geminiApi } from './apis/gemini-api.ts';
import { createResponsesApi } from './apis/responses-api.ts';
import { type Asked, RefusedRequest, type Target, type WireApi } from './apis/wire-api.ts';
import { isSameKey, noteHeaders, readKey, refuseKey } from './model-key.ts';
import { describeModel, listModels } from './model-listing.ts';
import type { ModelServerOptions } from './model-options.ts';
import type { ModelApi, ModelRequest } from './model-request.ts';
import { findModelRoute, guessApi, type ModelRoute } from './model-routes.ts';
import { estimateTokens, type Performance, planError, planJson, planPerformance } from './script/performance.ts';
import { createScriptPlayer } from './script/script-player.ts';
import type { ModelScript, ModelTurn } from './script/turn.ts';
import { isKnownSide, writeSideText } from './side-request.ts';

export interface Arrived {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Throws RefusedRequest. */
  readonly readBody: () => Promise<unknown>;
}

export interface Answerer {
  readonly requests: readonly ModelRequest[];
  readonly problems: readonly string[];
  readonly remaining: number;
  /** Never rejects. */
  readonly answer: (arrived: Arrived) => Promise<Performance>;
}

/** Limits on stored requests and problems. After that everything is refused. */
const keptAtMost = 500;

/** Decides the answer to a request; sends nothing. Throws TypeError for an invalid script. */
export function createAnswerer(script: ModelScript, options: ModelServerOptions): Answerer {
  const player = createScriptPlayer(script);
  const apis: Readonly<Record<ModelApi, WireApi>> = {
    'openai-chat': chatApi,
    'openai-responses': createResponsesApi(),
    anthropic: anthropicApi,
    gemini: geminiApi,
  };
  const requests: ModelRequest[] = [];
  const problems: string[] = [];

  /** A bug of the script or the program, not a scripted fault. It is a 400, because programs retry other errors. */
  const refuse = (api: ModelApi, message: string, status = 400): Performance => {
    if (problems.length < keptAtMost) problems.push(message);
    return planError(apis[api], { status, message, code: undefined });
  };

  const answer = async (arrived: Arrived): Promise<Performance> => {
    const isAnthropic = arrived.headers['anthropic-version'] !== undefined;
    const { pathname: path } = arrived.url;
    const route = findModelRoute(arrived.method, path, isAnthropic);
    const api = route?.api ?? guessApi(path, isAnthropic);
    try {
      if (arrived.method === 'HEAD') return planJson(200, {});
      if (route === undefined) return refuse(api, `${arrived.method} ${path} not found`, 404);
      if (route.for === 'models') return answerModels(route, arrived);
      return await answerQuestion(route, arrived);
    } catch (error) {
      return refuse(api, messageOf(error), error instanceof RefusedRequest ? error.status : 400);
    }
  };

  const checkKey = ({ headers, url }: Arrived): boolean | undefined =>
    options.apiKey === undefined ? undefined : isSameKey(readKey(headers, url.searchParams), options.apiKey);

  const findMissing = (api: ModelApi, model: string): Performance | undefined =>
    options.models === undefined || options.models.includes(model)
      ? undefined
      : planError(apis[api], { status: 404, message: `The model '${model}' does not exist.`, code: undefined });

  const answerModels = ({ api, model }: Extract<ModelRoute, { for: 'models' }>, arrived: Arrived): Performance => {
    if (checkKey(arrived) === false) return planError(apis[api], refuseKey(api));
    if (model === undefined) return planJson(200, listModels(api, options.models ?? ['scripted-model']));
    return findMissing(api, model) ?? planJson(200, describeModel(api, model));
  };

  const answerQuestion = async (
    { for: purpose, api, target }: Extract<ModelRoute, { target: Target }>,
    arrived: Arrived,
  ): Promise<Performance> => {
    const body = await arrived.readBody();
    if (!isObject(body)) throw new RefusedRequest(400, 'the body is not an object');
    if (target.isStreamed === true && arrived.url.searchParams.get('alt') !== 'sse')
      throw new RefusedRequest(400, 'streamGenerateContent supports only server-sent events; add ?alt=sse');
    if (requests.length >= keptAtMost)
      throw new RefusedRequest(400, `the server has already received its limit of ${keptAtMost} requests`);
    const request = note({ api, target, purpose, arrived, body });
    requests.push(request);
    if (request.isKeyRight === false) return planError(apis[api], refuseKey(api));
    const missing = findMissing(api, request.model);
    if (missing !== undefined) return missing;
    if (purpose === 'count') return planJson(200, apis[api].countTokens(estimateTokens(JSON.stringify(body))));
    const turn = request.isSide ? { text: writeSideText(request) } : await takeTurn(request);
    const asked: Asked = { model: request.model, body };
    return planPerformance({ turn, request, api: apis[api], asked, usage: options.usage ?? {} });
  };

  const takeTurn = async (request: ModelRequest): Promise<ModelTurn> => {
    const turn = await player.next(request);
    if (turn !== undefined) return turn;
    const asked = request.messages.at(-1);
    throw new RefusedRequest(
      400,
      `the script has no turn left for request ${requests.indexOf(request) + 1}, ${request.path}, whose last message has the role ${asked?.role ?? 'system'}`,
    );
  };

  const note = ({ api, target, purpose, arrived, body }: Noting): ModelRequest => {
    const question = apis[api].readQuestion(body, target);
    const known = purpose === 'count' || isKnownSide(question);
    const request: ModelRequest = {
      ...question,
      api,
      path: arrived.url.pathname,
      headers: noteHeaders(arrived.headers),
      isKeyRight: checkKey(arrived),
      isSide: known,
      body,
    };
    if (purpose === 'count') return request;
    return { ...request, isSide: options.isSide?.(request, known) ?? known };
  };

  return {
    requests,
    problems,
    get remaining() {
      return player.remaining;
    },
    answer,
  };
}

interface Noting {
  readonly api: ModelApi;
  readonly target: Target;
  readonly purpose: 'answer' | 'count';
  readonly arrived: Arrived;
  readonly body: JsonObject;
}
