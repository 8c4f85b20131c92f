import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { eventually } from '../../support/deadline.ts';
import { lost } from '../../support/lost.ts';
import { prepareProduct } from '../../support/prepared-product.ts';
import { postmasterOf } from '../../support/product.ts';
import { type Call, callerOf } from '../../support/server.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

// On a disk, whose time the faults fall into.
const stage = prepareProduct(tmpdir());
const { dataDirOf, start } = stage;

/** Several clients that set one name after the other until they are stopped, and what they were told. */
function writing(call: Call, clients: number) {
  const acknowledged = new Map<string, string>();
  const errorResponses: { status: number; body: unknown; retryAfter: string | null }[] = [];
  const failures: string[] = [];
  let isOver = false;
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const name = `w${client}-${count}`;
      const value = `value ${count} of client ${client}`;
      try {
        const answer = await call('POST', '/api/clipboard', { name, value });
        if (answer.status === 200) acknowledged.set(name, value);
        else
          errorResponses.push({
            status: answer.status,
            body: answer.body,
            retryAfter: answer.headers.get('retry-after'),
          });
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
        // The process is gone; there is nothing to hammer on.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  });
  return {
    acknowledged,
    errorResponses,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

describe('kill -9', () => {
  it(
    'of the process under load loses no acknowledged write, and the next start adopts the database (I02)',
    verifies('platform.kill.process'),
    async () => {
      const dataDir = await dataDirOf();
      const first = await start(dataDir);
      const load = writing(callerOf(first, stage.key), 8);
      await eventually('a hundred writes', () => load.acknowledged.size > 100);
      const postmaster = postmasterOf(dataDir);
      await first.kill();
      await load.stop();
      expect(postmasterOf(dataDir)).toBe(postmaster);
      const elapsedMs = startStopwatch();
      const second = await start(dataDir);
      expect(elapsedMs()).toBeLessThan(10_000);
      expect(postmasterOf(dataDir)).toBe(postmaster);
      const call = callerOf(second, stage.key);
      expect(await lost(call, load.acknowledged)).toEqual([]);
      expect((await call('POST', '/api/clipboard/push', { value: 'on it goes' })).status).toBe(200);
      expect(await second.terminate()).toBe(0);
      expect(postmasterOf(dataDir)).toBeNull();
    },
  );

  it(
    "of the database under load is 503 in the clipboard's shape, then writes succeed again without a restart, and none that was acknowledged is lost (I01)",
    verifies('platform.kill.database', 'everywhere.unavailable', 'platform.embedded'),
    async () => {
      const dataDir = await dataDirOf();
      const product = await start(dataDir);
      const call = callerOf(product, stage.key);
      const load = writing(call, 8);
      await eventually('a hundred writes', () => load.acknowledged.size > 100);
      const postmaster = postmasterOf(dataDir);
      process.kill(postmaster as number, 'SIGKILL');
      const elapsedMs = startStopwatch();
      await eventually('a refusal', () => load.errorResponses.length > 0);
      const before = load.acknowledged.size;
      await eventually('writes succeed again', () => load.acknowledged.size > before + 50);
      expect(elapsedMs()).toBeLessThan(10_000);
      await load.stop();
      expect(postmasterOf(dataDir)).not.toBe(postmaster);
      expect(load.failures).toEqual([]);
      for (const apiError of load.errorResponses)
        expect(apiError).toEqual({
          status: 503,
          body: { success: false, error: expect.any(String), retryAfter: expect.any(Number) },
          retryAfter: expect.stringMatching(/^\d+$/),
        });
      expect(JSON.stringify(load.errorResponses)).not.toMatch(/ECONN|postgres|terminat/i);
      expect(await lost(call, load.acknowledged)).toEqual([]);
      expect(product.child.exitCode).toBeNull();
    },
  );

  it(
    'of both at once loses no acknowledged write',
    verifies('platform.kill.process', 'platform.kill.database', 'platform.embedded'),
    async () => {
      const dataDir = await dataDirOf();
      const first = await start(dataDir);
      const load = writing(callerOf(first, stage.key), 8);
      await eventually('a hundred writes', () => load.acknowledged.size > 100);
      const postmaster = postmasterOf(dataDir) as number;
      await Promise.all([first.kill(), process.kill(postmaster, 'SIGKILL')]);
      await load.stop();
      const second = await start(dataDir);
      expect(await lost(callerOf(second, stage.key), load.acknowledged)).toEqual([]);
    },
  );
});
