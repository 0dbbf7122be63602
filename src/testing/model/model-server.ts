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
  /** Questions to a model, in order, also refused and side ones; at most 500, after which everything is refused. */
  readonly requests: readonly ModelRequest[];
  /** Turns not yet taken; Infinity when the script is a function. */
  readonly remaining: number;
  /** What the server could not answer, a sentence each: a turn too few, a tool that was not offered, an address that is not there. */
  readonly problems: readonly string[];
  /** Ends every open answer. */
  close(): Promise<void>;
}

/**
 * A server on loopback that plays the answers of a model from a script, in four APIs at once: OpenAI's chat and Responses, Anthropic's
 * Messages and Gemini's. It must be closed. Throws TypeError for a script or an option that means nothing.
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

/** Never rejects: a client that leaves ends its own answer and nothing else. */
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
