import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** The address of a server that redirects every request with its method and body. Closed after the test. */
export async function startRedirect(location: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(307, { location }).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}
