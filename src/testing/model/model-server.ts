import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answerer, createAnswerer } from './model-answerer.ts';
import { checkModelOptions, type ModelServerOptions } from './model-options.ts';
import type { ModelRequest } from './model-request.ts';
import { readBody } from './model-request-body.ts';
import { perform } from './script/perform.ts';
import type { ModelScript } from './script/turn.ts';

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without `/v1` or `/v1beta`. */
  readonly url: string;
  /**
   * Requests to a model, in order, including refused and side requests. At most 500; after that everything is
   * refused.
   */
  readonly requests: readonly ModelRequest[];
  /** Remaining turns. Infinity if the script is a function. */
  readonly remaining: number;
  /**
   * Requests that the server could not answer, one sentence each: no turn left, a tool that was not offered, an
   * unknown address.
   */
  readonly problems: readonly string[];
  /** Stops the server and ends open answers. */
  close(): Promise<void>;
}

/**
 * Starts a loopback server that plays the answers of a model from a script, in four APIs at once: OpenAI's Chat
 * Completions and Responses, Anthropic's Messages and Gemini's API. Close it afterwards. Throws TypeError for an
 * invalid script or option.
 */
export async function startModelServer(script: ModelScript, options: ModelServerOptions = {}): Promise<ModelServer> {
  checkModelOptions(options);
  const answerer = createAnswerer(script, options);
  const server = createServer((request, response) => {
    void handle({ answerer, request, response });
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const gone = Promise.withResolvers<void>();
    server.close(() => gone.resolve());
    server.closeAllConnections();
    await gone.promise;
  };
  const close = (): Promise<void> => {
    closed ??= end();
    return closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests: answerer.requests,
    problems: answerer.problems,
    get remaining() {
      return answerer.remaining;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Exchange {
  readonly answerer: Answerer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Never rejects: a client that disconnects ends only its own answer. */
async function handle({ answerer, request, response }: Exchange): Promise<void> {
  const { method = 'GET', headers } = request;
  try {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const performance = await answerer.answer({ method, url, headers, readBody: () => readBody(request) });
    await perform(response, performance);
  } catch {
    response.destroy();
  }
}
