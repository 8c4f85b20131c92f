import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that was free a moment ago, for a program that cannot choose one by itself. It is outside the range out of which systems give ports
 * to outgoing connections: one of those could take it while the program restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    const closed = once(server, 'close');
    server.close();
    await closed;
    return port;
  }
}
