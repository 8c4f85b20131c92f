import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from '../../support/deadline.ts';
import { prepareProduct } from '../../support/prepared-product.ts';
import { onSigusr2, postmasterOf } from '../../support/product.ts';
import { callerOf } from '../../support/server.ts';

const stage = prepareProduct();

describe('an error that nothing caught (I05)', () => {
  it.each([
    ['an unhandled rejection', "Promise.reject(new Error('no handler caught this'))"],
    ['an error thrown in a timer', "setTimeout(() => { throw new Error('no handler caught this') }, 1)"],
    ['a rejection without an error', "Promise.reject('no handler caught this')"],
  ])(
    '%s is logged, and the process stops as it should, with exit code 1: a supervisor starts it again',
    async (_what, code) => {
      const dataDir = await stage.dataDirOf();
      const product = await stage.start(dataDir, onSigusr2(code));
      const call = callerOf(product, stage.key);
      expect((await call('POST', '/api/clipboard', { name: 'before', value: 'x' })).status).toBe(200);
      const exit = once(product.child, 'exit');
      product.child.kill('SIGUSR2');
      expect((await within('the end', patienceMs, exit))[0]).toBe(1);
      const lines = product.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
      expect(lines).toEqual([
        expect.objectContaining({
          level: 60,
          msg: 'stopping after an error that nothing caught',
          error: expect.objectContaining({ message: 'no handler caught this' }),
        }),
      ]);
      if (code.includes('new Error')) expect(lines[0].error.stack).toMatch(/^Error: no handler caught this\n {4}at /);
      expect(product.stderr()).toBe('');
      // A stop in order: the database is down, and the next start needs no recovery.
      expect(postmasterOf(dataDir)).toBeNull();
      const again = await stage.start(dataDir);
      const found = await callerOf(again, stage.key)('GET', '/api/clipboard?name=before');
      expect(found.body.entry.value).toBe('x');
    },
  );

  it('during a stop changes nothing: running requests still finish', async () => {
    const product = await stage.start(await stage.dataDirOf(), onSigusr2("Promise.reject(new Error('too late'))"));
    const exit = once(product.child, 'exit');
    product.child.kill('SIGTERM');
    await eventually('it stops', () => product.lines.some((line) => line.includes('"msg":"stopping"')));
    product.child.kill('SIGUSR2');
    expect((await within('the end', patienceMs, exit))[0]).toBe(0);
    expect(product.lines.some((line) => line.includes('too late'))).toBe(true);
  });
});
