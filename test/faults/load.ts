import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createLedger, type Ledger } from './ledger.ts';

/** Where the product is at the moment: it moves when it is started again. */
export interface Target {
  base: string;
  readonly key: string;
}

export interface Load {
  readonly ledger: Ledger;
  /** Answers that no fault explains. */
  readonly strange: string[];
  /** From now on: when each client had its first success whose request began later than now; null for not yet. */
  watchSuccesses(): readonly (number | null)[];
  /** Cuts a client's connection in the middle of what it does. */
  cut(client: number): void;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Longer than any recovery: no answer in this time is as good as none. */
const timeoutMs = 20_000;

/** Clients that push, set and pop over kept connections, one thing after the other each, until they are stopped. */
export function startLoad(target: Target, clients: number): Load {
  const ledger = createLedger();
  const strange: string[] = [];
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  let faultAt = Number.POSITIVE_INFINITY;
  let firsts: (number | null)[] = [];
  let isOver = false;

  /** @returns null where no answer came. */
  function call(client: number, method: string, path: string, body: unknown): Promise<Answer | null> {
    return new Promise((resolve) => {
      const text = JSON.stringify(body);
      const headers = {
        Authorization: `Bearer ${target.key}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      };
      const req = request(target.base + path, { method, headers, agent: agents[client] as Agent, timeout: timeoutMs });
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        res.on('error', () => resolve(null));
      });
      req.on('timeout', () => req.destroy());
      req.on('error', () => resolve(null));
      req.end(text);
    });
  }

  async function write(client: number, count: number): Promise<Answer | null> {
    const value = `${client}-${count}`;
    if (count % 5 === 4) {
      const answer = await call(client, 'POST', '/api/clipboard/pop', {});
      if (answer?.status === 200) {
        const popped = JSON.parse(answer.text).entry.value as string;
        ledger.popped.set(popped, (ledger.popped.get(popped) ?? 0) + 1);
      } else if (answer?.status !== 404) {
        ledger.maybePopped += 1;
      }
      return answer;
    }
    if (count % 2 === 0) {
      const answer = await call(client, 'POST', '/api/clipboard', { name: value, value });
      if (answer?.status === 200) ledger.set.set(value, value);
      return answer;
    }
    const answer = await call(client, 'POST', '/api/clipboard/push', { value });
    if (answer?.status === 200) ledger.pushed.add(value);
    else ledger.maybePushed.add(value);
    return answer;
  }

  async function run(client: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      const begun = performance.now();
      const answer = await write(client, count);
      if (answer?.status === 200) {
        ledger.acknowledged += 1;
        if (begun >= faultAt && firsts[client] === null) firsts[client] = performance.now();
      } else if (answer === null || answer.status === 503) {
        // There is nothing to hammer on.
        await delay(10);
      } else if (answer.status !== 404) {
        strange.push(`${answer.status} ${answer.text.slice(0, 200)}`);
      }
    }
  }

  const running = agents.map((_, client) => run(client));
  return {
    ledger,
    strange,
    watchSuccesses() {
      faultAt = performance.now();
      firsts = agents.map(() => null);
      return firsts;
    },
    cut(client) {
      for (const sockets of Object.values(agents[client]?.sockets ?? {}))
        for (const socket of sockets ?? []) socket.destroy();
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
      for (const agent of agents) agent.destroy();
    },
  };
}
