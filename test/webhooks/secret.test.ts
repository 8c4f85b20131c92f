import { describe, expect, it } from 'vitest';
import { newWebhookSecret, WebhookSecret } from '../../src/webhooks/secret.ts';
import { verifies } from '../requirements.ts';

const messageOf = (secret: unknown) => WebhookSecret.safeParse(secret).error?.issues[0]?.message;

describe('a secret (D13)', () => {
  it('is taken as it is', verifies('webhooks.secret.form'), () => {
    for (const secret of ['x'.repeat(16), 'x'.repeat(256), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'])
      expect(WebhookSecret.parse(secret)).toBe(secret);
  });

  it('is refused when it is short, long, or no plain text', verifies('webhooks.secret.form'), () => {
    const odd = [' ', '\t', '\n', '\u0000', '\u007f', 'é', '🔑', '\ud800', '\u00a0'];
    const refused: [string, unknown[]][] = [
      ['at least 16', ['', 'x', 'x'.repeat(15)]],
      ['at most 256', ['x'.repeat(257), 'x'.repeat(10_240)]],
      ['printable', odd.flatMap((character) => [`canary-0123456789${character}`, `${character}canary-0123456789`])],
      ['must be a string', [undefined, null, 1_234_567_890_123_456, ['x'.repeat(20)]]],
    ];
    for (const [part, secrets] of refused)
      for (const secret of secrets) {
        expect(messageOf(secret), JSON.stringify(secret)).toMatch(new RegExp(`^secret .*${part}`));
        expect(messageOf(secret)).not.toContain('canary');
      }
  });

  it('that is made is another each time, and would be taken', verifies('webhooks.secret.form'), () => {
    const made = Array.from({ length: 1_000 }, newWebhookSecret);
    expect(new Set(made).size).toBe(1_000);
    for (const secret of made) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
      expect(WebhookSecret.parse(secret)).toBe(secret);
    }
  });
});
