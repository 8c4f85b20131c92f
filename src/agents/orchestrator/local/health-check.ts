import { request } from 'node:http';
import { createServer } from 'node:net';

/** Status codes of a server that has no such path. */
const unknownPath = new Set([404, 405, 501]);

/**
 * Whether an agent is healthy: GET /healthz, or GET / where there is no /healthz, is answered with 200 to 399 in time.
 *
 * @param signal Ends the check; the agent then counts as not healthy.
 */
export async function isHealthy(port: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const status = await statusOf(port, '/healthz', timeoutMs, signal);
  const isDecisive = status === null || !unknownPath.has(status);
  const decisive = isDecisive ? status : await statusOf(port, '/', timeoutMs, signal);
  return decisive !== null && decisive >= 200 && decisive < 400;
}

/** The status code of a response; null if there was none in time. */
function statusOf(port: number, path: string, timeoutMs: number, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, agent: false, signal });
    const timeout = setTimeout(() => asked.destroy(), timeoutMs);
    asked.on('response', (response) => {
      resolve(response.statusCode ?? null);
      asked.destroy();
    });
    asked.on('error', () => resolve(null));
    asked.on('close', () => {
      clearTimeout(timeout);
      resolve(null);
    });
    asked.end();
  });
}

/** A port of this machine that nothing listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
