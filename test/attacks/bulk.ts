import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Check, Outcome } from './check.ts';
import { outcomeOf, seen } from './check.ts';
import { afterCounted, costly } from './cost.ts';
import { packed, text } from './payloads.ts';
import { ask, type Reply, send, type Target } from './target.ts';

const control = text('\\u0001', 2_097_152);
/** Of all that is sent for an answer: 16 MB of content, and what names and punctuation add. */
const responseBytesMax = 18_000_000;

/** Answers and calls that are large, and allowed. Source: docs/hazards.md#j06 and docs/hazards.md#j07. */
export const bulk: readonly Check[] = [
  costly('POST a value of 2 MB of U+0001', 'high', afterCounted, (target) =>
    send(target, { path: '/api/clipboard', ...packed(`{"name":"control","value":${control}}`, 'plain') }),
  ),
  {
    name: 'an answer of 16 values of 2 MB of U+0001, over both APIs',
    severity: 'high',
    async attack(target): Promise<Outcome> {
      for (let n = 0; n < 16; n++) {
        const reply = await send(target, {
          path: '/api/clipboard',
          ...packed(`{"name":"control${n}","value":${control}}`, 'plain'),
        });
        if (reply.status !== 200) return outcomeOf(true, `the value was not taken: ${seen(reply)}`);
      }
      const asks = [
        (given: Target) => ask(given, '{ clipboardEntries(first: 20) { nodes { name value } } }'),
        (given: Target) => send(given, { method: 'GET', path: '/api/clipboard' }),
        (given: Target) =>
          ask(
            given,
            `{ ${Array.from({ length: 16 }, (_, n) => `a${n}: clipboardEntry(by: { name: "control${n}" }) { value }`).join(' ')} }`,
          ),
      ];
      const outcomes: Outcome[] = [];
      for (const request of asks) {
        let bytes = 0;
        const check = costly('', 'high', afterCounted, async (given): Promise<Reply> => {
          const reply = await request(given);
          bytes = Buffer.byteLength(reply.text);
          return { ...reply, text: reply.text.slice(0, 200) };
        });
        const { verdict, evidence } = await check.attack(target);
        const isLong = bytes > responseBytesMax;
        outcomes.push(outcomeOf(isLong || verdict === 'exposed', `${(bytes / 1e6).toFixed(1)} MB for ${evidence}`));
      }
      await send(target, { method: 'DELETE', path: '/api/clipboard/all' });
      const exposed = outcomes.filter(({ verdict }) => verdict === 'exposed');
      return outcomeOf(
        exposed.length > 0,
        (exposed.length > 0 ? exposed : outcomes).map(({ evidence }) => evidence).join(' | '),
      );
    },
  },
  {
    name: '60 calls of 2 MB with Idempotency-Keys at once, and the wait of another tenant',
    severity: 'high',
    async attack(target): Promise<Outcome> {
      const { headers, body } = packed(`{"value":${text('x', 2_000_000)}}`, 'plain');
      const bystander = await startBystander({ ...target, key: await newTenant(target) });
      let failed = 0;
      const call = async (name: string) => {
        const reply = await send(target, {
          path: '/api/clipboard/push',
          headers: { ...headers, 'Idempotency-Key': `bulk-${name}-${performance.now()}` },
          body,
        });
        if (reply.status !== 200) failed += 1;
      };
      const rounds: { alone: number; beside: number }[] = [];
      // The first round warms the product up.
      for (let round = 0; round <= besideRounds; round++) {
        const alone = p95(await bystander.waits(async () => undefined));
        const beside = p95(
          await bystander.waits(() => Promise.all(Array.from({ length: 60 }, (_, n) => call(`${round}-${n}`)))),
        );
        if (round > 0) rounds.push({ alone, beside });
        await send(target, { method: 'DELETE', path: '/api/clipboard/all' });
      }
      bystander.end();
      const [alone, beside, ratio] = [
        median(rounds.map((round) => round.alone)),
        median(rounds.map((round) => round.beside)),
        median(rounds.map((round) => round.beside / round.alone)),
      ];
      const evidence = `p95 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside them, ${ratio.toFixed(1)} times, in the median of ${besideRounds} rounds; ${failed} of ${60 * (besideRounds + 1)} refused`;
      return outcomeOf(ratio > 2, evidence);
    },
  },
];

/** Rounds of a bystander, who is alone in the first half of each. */
const besideRounds = 5;

/** Another client, whose requests are warmed up, and who tells how long small ones wait, one after the other, while something goes on. */
async function startBystander({ base, key }: Target) {
  const worker = new Worker(new URL('./bystander.ts', import.meta.url), { workerData: { base, key } });
  await once(worker, 'message');
  return {
    /** @returns Milliseconds, of 200 requests at least. */
    async waits(meanwhile: () => Promise<unknown>): Promise<number[]> {
      const measured = once(worker, 'message') as Promise<[number[]]>;
      worker.postMessage('begin');
      await meanwhile();
      worker.postMessage('over');
      const [milliseconds] = await measured;
      return milliseconds;
    },
    end: () => worker.postMessage('end'),
  };
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The key of a new user. */
async function newTenant({ base }: Target): Promise<string> {
  const post = (path: string, body: object, headers = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const username = `bystander${Math.floor(performance.now())}`;
  const signedUp = await post('/api/auth/sign-up', {
    username,
    email: `${username}@example.com`,
    password: 'correct horse battery',
  });
  const cookie = (signedUp.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const made = (await (await post('/api/api-keys', { name: 'bystander' }, { Cookie: cookie })).json()) as {
    secret: string;
  };
  return made.secret;
}
