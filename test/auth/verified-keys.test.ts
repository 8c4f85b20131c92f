import { describe, expect, it } from 'vitest';
import { type Verification, VerifiedKeys } from '../../src/auth/verified-keys.ts';
import type { Principal } from '../../src/platform/caller.ts';

const principal = { kind: 'key', credentialUuid: 'a' } as Principal;
const good: Verification = { principal, lastsMs: null };

/** Keys verified at a time that the test sets, by answers that it gives. */
function standing() {
  const at = { ms: 0 };
  const keys = new VerifiedKeys(() => at.ms);
  let asked = 0;
  const ask = (answer: () => Verification | null | Promise<Verification | null>) =>
    keys.principalOf('hash', async () => {
      asked += 1;
      return answer();
    });
  return { at, keys, ask, asked: () => asked };
}

describe('verified keys', () => {
  it('are asked for once in less than a second, counted from the question (B05)', async () => {
    const { at, ask, asked } = standing();
    const slow = ask(async () => {
      at.ms = 500;
      return good;
    });
    expect(await slow).toBe(principal);
    at.ms = 899;
    expect(await ask(() => null)).toBe(principal);
    expect(asked()).toBe(1);
    at.ms = 900;
    expect(await ask(() => null)).toBeNull();
    expect(asked()).toBe(2);
  });

  it('are one question for all who ask at once', async () => {
    const { ask, asked } = standing();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(() => good)));
    expect(new Set(answers)).toEqual(new Set([principal]));
    expect(asked()).toBe(1);
  });

  it('end at the instant at which the key expires', async () => {
    const { at, ask } = standing();
    await ask(() => ({ principal, lastsMs: 250 }));
    at.ms = 249;
    expect(await ask(() => null)).toBe(principal);
    at.ms = 250;
    expect(await ask(() => null)).toBeNull();
  });

  it('cache neither invalid keys nor failures', async () => {
    const { ask, asked } = standing();
    expect(await ask(() => null)).toBeNull();
    await expect(ask(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await ask(() => good)).toBe(principal);
    expect(asked()).toBe(3);
  });

  it('are queried again after a key was ended here, also by a running query (B05)', async () => {
    const { keys, ask, asked } = standing();
    const underWay = Promise.withResolvers<Verification>();
    const early = ask(() => underWay.promise);
    keys.clear();
    const late = ask(() => null);
    underWay.resolve(good);
    expect(await early).toBe(principal);
    expect(await late).toBeNull();
    expect(await ask(() => null)).toBeNull();
    expect(asked()).toBe(3);
  });

  it('are bounded in number', async () => {
    const keys = new VerifiedKeys(() => 0);
    let asked = 0;
    const verify = async () => {
      asked += 1;
      return good;
    };
    for (let key = 0; key < 10_001; key++) await keys.principalOf(`${key}`, verify);
    await keys.principalOf('0', verify);
    expect(asked).toBe(10_002);
  });
});
