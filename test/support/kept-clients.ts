import { Agent, request } from 'node:http';
import { connect } from 'node:net';

/** What one request on a kept connection came to. */
interface Outcome {
  readonly status: number;
  /** The server said that this was the last on the connection. */
  readonly isLast: boolean;
}

/** The connection ended before any byte of a response. */
class Unanswered extends Error {}

/** Sends one write after the other on a connection that it keeps. */
interface Client {
  write(body: string): Promise<Outcome>;
  end(): void;
}

export interface KeptClients {
  /** Values by name whose write was answered with 200. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Answers of another status. */
  readonly failures: readonly string[];
  /**
   * Names whose write met the end of its kept connection before any byte of a response: the server closed it as idle while the
   * request was on its way (RFC 9112, 9.5). It must not have run.
   */
  readonly unanswered: readonly string[];
  /** All other requests without a whole response. */
  readonly troubles: readonly string[];
  stop(): Promise<void>;
}

/**
 * Clients that write on kept connections until they are told `Connection: close`, and then go elsewhere, as behind a
 * balancer: a third each with Node's agent, with fetch, and with a bare socket.
 */
export function keptClients(base: string, key: string, clients: number): KeptClients {
  const acknowledged = new Map<string, string>();
  const failures: string[] = [];
  const unanswered: string[] = [];
  const troubles: string[] = [];
  const kinds = [agentClient, fetchClient, socketClient];
  let isOver = false;

  async function run(index: number): Promise<void> {
    const kind = kinds[index % kinds.length] as (typeof kinds)[0];
    const client = kind(base, key);
    for (let count = 0; !isOver; count++) {
      const name = `k${index}-${count}`;
      const value = `value ${count} of client ${index}`;
      try {
        const { status, isLast } = await client.write(JSON.stringify({ name, value }));
        if (status === 200) acknowledged.set(name, value);
        else failures.push(`${kind.name}: ${status}`);
        if (isLast) break;
      } catch (error) {
        const { cause, message } = error as Error;
        if (error instanceof Unanswered && count > 0) unanswered.push(name);
        else troubles.push(`${kind.name}, request ${count}: ${String(cause ?? message)}`);
        break;
      }
    }
    client.end();
  }

  const running = Array.from({ length: clients }, (_, index) => run(index));
  return {
    acknowledged,
    failures,
    unanswered,
    troubles,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

const path = '/api/clipboard';
const headersOf = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });

function agentClient(base: string, key: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    write: (body) =>
      new Promise((resolve, reject) => {
        const headers = { ...headersOf(key), 'Content-Length': Buffer.byteLength(body) };
        let hasResponse = false;
        const req = request(base + path, { method: 'POST', headers, agent });
        req.on('error', (error) => reject(hasResponse ? error : new Unanswered(error.message)));
        req.on('response', (res) => {
          hasResponse = true;
          const outcome = { status: res.statusCode ?? 0, isLast: res.headers.connection === 'close' };
          res
            .on('error', reject)
            .on('end', () => resolve(outcome))
            .resume();
        });
        req.end(body);
      }),
    end: () => agent.destroy(),
  };
}

function fetchClient(base: string, key: string): Client {
  return {
    async write(body) {
      const response = await fetch(base + path, { method: 'POST', headers: headersOf(key), body }).catch((error) => {
        throw new Unanswered(String(error.cause ?? error));
      });
      await response.text();
      return { status: response.status, isLast: response.headers.get('connection') === 'close' };
    },
    end: () => undefined,
  };
}

/** It waits for the end of the connection too, which must be one: no reset. */
function socketClient(base: string, key: string): Client {
  const { hostname, port } = new URL(base);
  const head = Object.entries({ Host: 'x', ...headersOf(key) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const socket = connect(Number(port), hostname);
  // It ends with the connection, and throws with a reset.
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;

  return {
    async write(body) {
      socket.write(`POST ${path} HTTP/1.1\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      let text = '';
      for (;;) {
        const { value, done } = await chunks.next().catch((error) => {
          throw text === '' ? new Unanswered(error.message) : error;
        });
        if (done) throw text === '' ? new Unanswered('the end') : new Error(`the connection ended after: ${text}`);
        text += value;
        const [answer = '', length] = /^.*?\r\ncontent-length: (\d+)\r\n.*?\r\n\r\n/is.exec(text) ?? [];
        if (answer === '' || Buffer.byteLength(text) < answer.length + Number(length)) continue;
        const isLast = /\r\nconnection: close\r\n/i.test(answer);
        if (isLast && !(await chunks.next()).done) throw new Error('more came after the last answer');
        return { status: Number(answer.split(' ')[1]), isLast };
      }
    },
    end: () => socket.destroy(),
  };
}
