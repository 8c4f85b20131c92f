import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { startProducts } from '../../services/products.ts';
import { heldCommit } from '../../support/held-commit.ts';
import { heldStack } from '../../support/held-stack.ts';
import type { Product } from '../../support/product.ts';
import { callerOf, startTestServer, tenantOf } from '../../support/server.ts';

/** Stays while the products are killed. */
const server = await startTestServer({}, undefined, { isRealTime: true });
const settings = { DATABASE_URL: server.url, WORKERS: 'separate' };
const [first, second] = (await startProducts(2, settings, 'web-process')) as [Product, Product];
const pop = '/api/clipboard/pop';
const headers = { 'Idempotency-Key': 'once' };

describe('a process is killed with a keyed pop under way', verifies('everywhere.idempotency.atomic'), () => {
  it('A07, A08: during its commit: the retry at another process waits for the outcome, and gets the same entry', async () => {
    const { call, secret } = await tenantOf(server);
    for (const value of ['a', 'b']) await call('POST', '/api/clipboard/push', { value });
    const commit = await heldCommit(server.url);
    const lost = callerOf(first, secret)('POST', pop, undefined, headers).catch(() => null);
    await commit.waits();
    await first.kill();
    expect(await lost).toBeNull();
    // Its locks ended with it, so the retry is not 409.
    const again = call('POST', pop, undefined, headers);
    await commit.release();
    const { status, body, headers: got } = await again;
    expect([status, body.entry?.value, got.get('idempotent-replayed')]).toEqual([200, 'b', 'true']);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(1);
  });

  it('before its commit: nothing was done, and the retry does it once', async () => {
    const { call, secret, caller } = await tenantOf(server);
    for (const value of ['a', 'b']) await call('POST', '/api/clipboard/push', { value });
    const stack = await heldStack(server.url, String(caller.principal?.profileUuid));
    const lost = callerOf(second, secret)('POST', pop, undefined, headers).catch(() => null);
    await stack.waits(1);
    await second.kill();
    expect(await lost).toBeNull();
    const again = call('POST', pop, undefined, headers);
    await stack.waits(2);
    await stack.release();
    const { status, body, headers: got } = await again;
    expect([status, body.entry?.value, got.get('idempotent-replayed')]).toEqual([200, 'b', null]);
    expect((await call('GET', '/api/clipboard')).body.total).toBe(1);
  });
});
