/**
 * The answer of a server that is called without a socket, unless the signal aborts first: then it rejects with the signal's reason, and an answer that
 * comes all the same is given up at its source.
 */
export async function answerUnlessAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answer, aborted.promise]);
  } catch (error) {
    answer.then(late => late.body?.cancel()).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
