/** Far more than an answer has that says something for us, and little for the memory of a runner. */
const maxBytes = 8 * 1024 * 1024;

export class AnswerTooBigError extends Error {
  override readonly name = 'AnswerTooBigError';
}

/**
 * A fetch that resolves with the whole answer in memory, so that the signal of the request bounds the body too. Throws AnswerTooBigError
 * beyond 8 MiB, counted after decompression, and whatever fetch throws.
 */
export function boundAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const { status, statusText, headers, body } = answer;
    if (body === null) return answer;
    return new Response(await readWhole(body), { status, statusText, headers: [...headers] });
  };
}

async function readWhole(body: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early ends the connection.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new AnswerTooBigError(`the answer is larger than ${maxBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
