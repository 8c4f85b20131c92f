import { describe, expect, it } from 'vitest';
import { anonymous, type Caller, type Principal } from '../../../src/platform/caller.ts';
import { spenderOf } from '../../../src/platform/limits/rate-limits.ts';

const principal = (kind: Principal['kind'], credentialUuid: string): Principal => ({
  kind,
  credentialUuid,
  userUuid: 'user',
  projectUuid: 'project',
  profileUuid: 'profile',
  scopes: new Set(['read'] as const),
  source: 'sdk',
  isAdmin: false,
  tier: 'free',
});
const caller = (given: Principal | null, address = '192.0.2.1'): Caller => ({ principal: given, address });

describe('whose budget a request is counted against', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::1'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('is the same for %s and %s', (one, other) => {
    expect(spenderOf('general', anonymous(one))).toBe(spenderOf('general', anonymous(other)));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['192.0.2.1', '192.0.2.2'],
  ])('is another one for %s and %s', (one, other) => {
    expect(spenderOf('general', anonymous(one))).not.toBe(spenderOf('general', anonymous(other)));
  });

  it('is that of the key, of the user of a session, or of the address', () => {
    expect(spenderOf('general', caller(principal('key', 'k1')))).toBe('key:k1');
    expect(spenderOf('general', caller(principal('session', 's1')))).toBe('user:user');
    expect(spenderOf('general', caller(null))).toBe('address:192.0.2.1');
  });

  it('B08: is that of the address for guesses, whatever credential comes along', () => {
    for (const given of [null, principal('key', 'k1'), principal('session', 's1')])
      expect(spenderOf('authentication', caller(given))).toBe('address:192.0.2.1');
  });

  it('D21: is that of the user for sensitive operations, whichever key asks', () => {
    for (const given of [principal('key', 'k1'), principal('key', 'k2'), principal('session', 's1')])
      expect(spenderOf('sensitive', caller(given))).toBe('user:user');
  });
});
