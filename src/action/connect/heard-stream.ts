/** The answer as it is; `hear` is called for every piece of one that is a stream: it lasts for many minutes, and each sign of life in it is the server's word. */
export function hearStream(response: Response, hear: () => void): Response {
  const { body, status, statusText, headers } = response;
  if (headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      hear();
      controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(heard), { status, statusText, headers });
}
