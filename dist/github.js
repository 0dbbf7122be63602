import {
  Octokit
} from "./shared-json-with-bigint.js";
import {
  describeCause,
  findCause
} from "./shared-cause.js";
import {
  GitHubError,
  explainAnswer
} from "./shared-github-error.js";
import {
  backoffMs,
  isObject,
  readRetryAfterMs,
  systemClock
} from "./core.js";

// src/action/github/bounded-fetch.ts
var maxBytes = 8 * 1024 * 1024;
var AnswerTooBigError = class extends Error {
  name = "AnswerTooBigError";
};
function boundAnswers(fetch) {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const { status, statusText, headers, body } = answer;
    if (body === null) return answer;
    return new Response(await readWhole(body), { status, statusText, headers: [...headers] });
  };
}
async function readWhole(body) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new AnswerTooBigError(`the answer is larger than ${maxBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// src/action/github/retry.ts
function judgeFailure({ status, headers, message }, now) {
  if (status === void 0) return { kind: "unknown" };
  if (status === 429 || status === 403 && isLimit(headers, message))
    return { kind: "limited", waitMs: askedWaitMs(headers, now) };
  const isOfServer = status >= 500 && status !== 501 && status !== 505;
  return { kind: isOfServer ? "unknown" : "final" };
}
function isRepeatable(method) {
  return method.toUpperCase() !== "POST";
}
var gitHubBackoff = { baseDelayMs: 500, maxDelayMs: 8e3 };
function isLimit(headers, message) {
  return headers["retry-after"] !== void 0 || String(headers["x-ratelimit-remaining"]) === "0" || /\b(?:secondary rate|rate limit exceeded|abuse detection)/i.test(message);
}
function askedWaitMs(headers, now) {
  const told = readRetryAfterMs((name) => headers[name]?.toString(), now);
  if (told !== void 0) return Math.max(0, told);
  const sent = Date.parse(String(headers.date ?? ""));
  const from = Number.isNaN(sent) ? now : sent;
  const reset = Number(headers["x-ratelimit-reset"]);
  if (String(headers["x-ratelimit-remaining"]) !== "0" || !(reset > 0)) return void 0;
  return Math.max(0, reset * 1e3 - from);
}

// src/action/github/patience.ts
var usualLimitMs = 6e4;
var reserveMs = 5e3;
var maxAttempts = 6;
function createPatience({
  clock,
  log,
  limitMs,
  signal,
  hurry
}) {
  const endsAt = clock.monotonicMs() + limitMs;
  const ends = AbortSignal.any([signal, hurry].filter((end) => end !== void 0));
  const leftMs = () => endsAt - clock.monotonicMs();
  const whyStopped = () => {
    if (signal?.aborted === true) return "the step is being stopped";
    return ends.aborted ? "the step has ended" : void 0;
  };
  const pause = async (waitMs) => {
    if (ends.aborted || waitMs >= leftMs()) return false;
    await clock.sleep(waitMs, ends).catch(() => {
    });
    return !ends.aborted;
  };
  return {
    leftMs,
    whyStopped,
    whyOver: () => whyStopped() ?? (leftMs() > 0 ? void 0 : `the limit of ${Math.ceil(limitMs / 1e3)} s was reached`),
    pause,
    async waitAfter(failure, { attempt, operation }) {
      const judgement = judgeFailure(failure, clock.now());
      if (failure.isHopeless === true || judgement.kind === "final" || attempt + 1 >= maxAttempts) return false;
      if (judgement.kind === "unknown")
        return isRepeatable(failure.method) && await pause(backoffMs(attempt, gitHubBackoff));
      const waitMs = Math.max(judgement.waitMs ?? Math.min(usualLimitMs, leftMs() - reserveMs), 100);
      if (waitMs < leftMs() && !ends.aborted)
        log(`GitHub limits the rate of ${operation}. Trying again in ${Math.ceil(waitMs / 1e3)} s`);
      return await pause(waitMs);
    }
  };
}

// src/action/github/github.ts
var attemptMs = 12e3;
function openGitHub({ token, apiUrl, fetch, log, clock = systemClock, ...use }) {
  const patience = createPatience({ clock, log, ...use });
  const octokit = new Octokit({
    auth: token,
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent: "agent-run",
    request: { fetch: boundAnswers(fetch) },
    // Octokit warns of deprecated routes on the console, which is the runner's channel.
    log: { debug: () => {
    }, info: () => {
    }, warn: () => {
    }, error: () => {
    } }
  });
  octokit.hook.wrap("request", async (send, options) => {
    const isQuery = options.url.endsWith("/graphql");
    const operation = `${options.method} ${isQuery ? "/graphql" : options.url}`;
    const method = isQuery ? "GET" : options.method;
    for (let attempt = 0; ; attempt += 1) {
      const over = patience.whyOver();
      if (over !== void 0) throw new GitHubError(`${operation} was not sent to GitHub: ${over}`, {});
      const ends = [AbortSignal.timeout(Math.ceil(Math.min(attemptMs, patience.leftMs()))), use.signal];
      if (method === "GET") ends.push(use.hurry);
      options.request = { ...options.request, signal: AbortSignal.any(ends.filter((end) => end !== void 0)) };
      const outcome = await carryOut(async () => send(options));
      if ("answer" in outcome) return outcome.answer;
      const failure = { ...outcome.failure, method, message: patience.whyStopped() ?? outcome.failure.message };
      if (!await patience.waitAfter(failure, { attempt, operation })) throw errorOf(failure, operation, clock.now());
    }
  });
  return {
    request: octokit.request,
    graphql: octokit.graphql,
    pause: (attempt) => patience.pause(backoffMs(attempt + 1, gitHubBackoff))
  };
}
async function carryOut(send) {
  try {
    const answer = await send();
    const isWhole = answer.status === 204 || isObject(answer.data) || Array.isArray(answer.data);
    if (isWhole) return { answer };
    return { failure: { status: void 0, headers: {}, message: "the answer is not JSON or is incomplete" } };
  } catch (cause) {
    const { response, message } = cause;
    if (response === void 0) return { failure: { status: void 0, headers: {}, ...describeFault(cause), cause } };
    const said = isObject(response.data) && typeof response.data.message === "string" ? response.data.message : "";
    return {
      failure: {
        status: response.status,
        headers: response.headers,
        message: said || (typeof response.data === "string" ? "" : message ?? ""),
        cause
      }
    };
  }
}
function errorOf(failure, operation, now) {
  const { status, headers, message, cause } = failure;
  const judgement = judgeFailure(failure, now);
  const facts = { status, mayBeDone: judgement.kind === "unknown", isRefusal: judgement.kind === "final" };
  if (status === void 0) return new GitHubError(`GitHub did not answer ${operation}: ${message}`, facts, { cause });
  if (judgement.kind === "limited") {
    const wait = judgement.waitMs === void 0 ? "" : ` It asks to wait ${Math.ceil(judgement.waitMs / 1e3)} s, which is longer than the step waits.`;
    return new GitHubError(`GitHub limits the rate of ${operation} (${status}).${wait}`, facts, { cause });
  }
  const accepted = headers["x-accepted-github-permissions"];
  const sentence = explainAnswer(operation, {
    status,
    said: message,
    accepted: accepted === void 0 ? void 0 : String(accepted)
  });
  return new GitHubError(sentence, facts, { cause });
}
function describeFault(error) {
  const inner = findCause(error);
  const isHopeless = inner instanceof AnswerTooBigError;
  if (inner instanceof Error && inner.name === "TimeoutError") return { message: "no answer in time", isHopeless };
  return { message: describeCause(inner), isHopeless };
}
export {
  openGitHub
};
