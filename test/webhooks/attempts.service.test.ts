import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import type { Egress, EgressRequest } from '../../src/platform/egress/egress.ts';
import { createSecrets } from '../../src/platform/security/secrets.ts';
import { createAttempts, secretContext } from '../../src/webhooks/attempt.ts';
import type { ClaimedRow } from '../../src/webhooks/statements.ts';

const secrets = createSecrets({ keys: [{ id: 'test', key: createSecretKey(randomBytes(32)) }] });
const webhook = randomUUID();
const sealedFor = (uuid: string) => secrets.seal('a-secret-of-the-tests', secretContext(uuid));
const row = (given: Partial<ClaimedRow> = {}): ClaimedRow => ({
  uuid: randomUUID(),
  webhook_uuid: webhook,
  event_uuid: randomUUID(),
  profile_uuid: 'p1',
  attempt: 1,
  losses: 0,
  is_test: false,
  was_lost: false,
  event: 'document.deleted',
  data: '{}',
  event_at: new Date(0),
  url: 'https://receiver.example/',
  secret: sealedFor(webhook),
  previous_secret: null,
  ...given,
});

/** Attempts over an egress that notes what it is asked. */
function attempts(answer: () => Awaited<ReturnType<Egress['request']>>) {
  const sent: EgressRequest[] = [];
  const request: Egress['request'] = async (given) => {
    sent.push(given);
    return answer();
  };
  return { attempt: createAttempts({ clock: systemClock, egress: { request }, secrets }), sent };
}

const ok = () => ({ status: 200, headers: {}, body: Buffer.from('ok'), isTruncated: false, ms: 1 });

describe('an attempt', () => {
  it('has the connections of its tenant: one whose receiver hangs delays no other at the same host', async () => {
    const { attempt, sent } = attempts(ok);
    await attempt(row({ profile_uuid: 'p1' }), 'c');
    await attempt(row({ profile_uuid: 'p2' }), 'c');
    expect(sent.map(({ pool }) => pool)).toEqual(['p1', 'p2']);
  });

  it('that fails for an unexpected reason tells nothing of the inside', async () => {
    const { attempt } = attempts(() => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
    });
    const { status, error } = await attempt(row(), 'c');
    expect([status, error]).toEqual(['failed', 'The delivery could not be sent']);
  });

  it('D13: sends nothing with a sealed secret of another webhook, also after that one was opened', async () => {
    const { attempt, sent } = attempts(ok);
    const copied = row().secret;
    expect((await attempt(row({ secret: copied }), 'c')).status).toBe('succeeded');
    const { status, error } = await attempt(row({ secret: copied, webhook_uuid: randomUUID() }), 'c');
    expect([status, error]).toEqual(['failed', 'The secret cannot be read; set a new one']);
    expect(sent).toHaveLength(1);
  });

  it.each([
    [1, false, 0],
    [5, false, 0],
    [6, false, 0],
    [1, true, null],
  ])(
    'J09: number %i whose worker was lost (a test call: %s) is made again after %s s, and no failure of the receiver',
    async (number, isTest, after) => {
      const { attempt, sent } = attempts(ok);
      const outcome = await attempt(row({ attempt: number, is_test: isTest, was_lost: true }), 'c');
      expect([outcome.status, outcome.retrySeconds]).toEqual(['lost', after]);
      expect(sent).toEqual([]);
    },
  );
});
