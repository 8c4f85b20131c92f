import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { prepareProduct } from '../../support/prepared-product.ts';
import { isWebProcess, onSigusr2, type Product } from '../../support/product.ts';
import { callerOf } from '../../support/server.ts';

const stage = prepareProduct();

const logged = (product: Product) => product.lines.map((line) => JSON.parse(line) as Record<string, unknown>);

const linesOf = (product: Product, message: string) => logged(product).filter(({ msg }) => msg === message);

/** Ends the web process by a signal and waits until another answers, as do clients that connect meanwhile. */
async function replaced(product: Product, signal: NodeJS.Signals): Promise<string> {
  const call = callerOf(product, stage.key);
  const [pid] = product.webProcesses() as [number];
  process.kill(pid, signal);
  await eventually('the end of the process', () => !isWebProcess(pid));
  const answers = Promise.all(Array.from({ length: 20 }, () => call('GET', '/healthz')));
  expect((await within('answers', patienceMs, answers)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  await eventually('the database is used', async () => (await call('GET', '/api/clipboard')).status === 200);
  expect(product.child.exitCode).toBeNull();
  expect(product.webProcesses()).toHaveLength(1);
  expect(product.webProcesses()).not.toContain(pid);
  const [line] = linesOf(product, 'a web process stopped; a replacement is started');
  expect(line).toMatchObject({ level: 50, pid, pauseMs: 0 });
  return String(line?.reason);
}

describe(
  'when the process that answers ends, another takes its place on the same port',
  verifies('platform.restart'),
  () => {
    it('after SIGKILL; and it ends by itself when the process that started it is killed', async () => {
      const product = await stage.start(await stage.dataDirOf());
      expect(await replaced(product, 'SIGKILL')).toMatch(/^Signal SIGKILL: /);
      const pids = product.webProcesses();
      expect(pids).toHaveLength(1);
      product.child.kill('SIGKILL');
      await eventually('they end', () => !pids.some(isWebProcess));
    });

    it('after it ran out of memory', async () => {
      const product = await stage.start(
        await stage.dataDirOf(),
        onSigusr2('const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length))', '--max-old-space-size=300'),
      );
      expect(await replaced(product, 'SIGUSR2')).toBe('Out of memory: the JavaScript heap reached its limit');
    });

    it('after its event loop was blocked for HANG_SECONDS', async () => {
      const environment = { HANG_SECONDS: '2', ...onSigusr2('for (;;);') };
      const product = await stage.start(await stage.dataDirOf(), environment);
      expect(await replaced(product, 'SIGUSR2')).toBe('Hung: the event loop was blocked for 2 s');
      expect(linesOf(product, 'the event loop has been blocked for 1 s')).toHaveLength(1);
    });

    it('after an error that nothing caught, once it has stopped in order', async () => {
      const product = await stage.start(await stage.dataDirOf(), onSigusr2("Promise.reject(new Error('uncaught'))"));
      expect(await replaced(product, 'SIGUSR2')).toBe('Exit code 1');
      expect(linesOf(product, 'stopping after an error that nothing caught')).toHaveLength(1);
      expect(await product.terminate()).toBe(0);
    });
  },
);

it('a block of over a second is logged with the operations under way, and with its length when it is over', async () => {
  const block = 'const until = Date.now() + 2500; while (Date.now() < until);';
  const product = await stage.start(await stage.dataDirOf(), onSigusr2(block));
  const query = 'subscription { clipboardChanged { kind } }';
  const stream = await fetch(`${product.base}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      Authorization: `Bearer ${stage.key}`,
      'X-Request-Id': 'open-stream',
    },
    body: JSON.stringify({ query }),
  });
  expect(stream.status).toBe(200);
  process.kill(product.webProcesses()[0] as number, 'SIGUSR2');
  const free = await eventually('it is over', () => linesOf(product, 'the event loop is free again')[0]);
  expect(free.ms).toBeGreaterThan(2_000);
  const [blocked] = linesOf(product, 'the event loop has been blocked for 1 s');
  expect(blocked?.underWay).toEqual([{ requestId: 'open-stream', operation: 'POST /graphql' }]);
  await stream.body?.cancel();
});
