import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/webhooks/signature.ts';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.mjs';
import { verifies } from '../requirements.ts';
import { signedBody } from '../support/signed-body.ts';
import { eventOf, payloads, secretsToSignWith } from './payloads.ts';

const [secret] = secretsToSignWith as [string];
const previous = 'whsec_of-yesterday';
const { body, signature } = signedBody(eventOf({ name: 'Zoë 🔑' }), secret);
/** The function as JavaScript calls it. */
const verify = verifyWebhook as (...given: unknown[]) => boolean;

describe('verifyWebhook', () => {
  it('is true for each genuine delivery, as text and as bytes', verifies('webhooks.signature.verify'), () => {
    for (const data of Object.values(payloads))
      for (const key of secretsToSignWith) {
        const signed = signedBody(eventOf(data, 1), key);
        for (const bytes of [signed.body, Buffer.from(signed.body), new TextEncoder().encode(signed.body)])
          expect(verifyWebhook(key, bytes, signed.signature)).toBe(true);
      }
  });

  it(
    'is false when a byte of the body, the secret or the signature is another',
    verifies('webhooks.signature.verify'),
    () => {
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += 1) {
        const other = Buffer.from(bytes);
        other[at] = (other[at] as number) ^ 1;
        expect(verifyWebhook(secret, other, signature)).toBe(false);
      }
      for (let at = 0; at < signature.length; at += 1) {
        const other = `${signature.slice(0, at)}${signature[at] === '0' ? '1' : '0'}${signature.slice(at + 1)}`;
        expect(verifyWebhook(secret, body, other)).toBe(false);
      }
      for (const other of [`${secret} `, secret.slice(1), secret.replace('whsec_', ''), secret.toUpperCase(), 'x'])
        expect(verifyWebhook(other, body, signature)).toBe(false);
      for (const other of [`${body}\n`, ` ${body}`, `\ufeff${body}`, '', JSON.stringify(JSON.parse(body), null, 2)])
        expect(verifyWebhook(secret, other, signature)).toBe(false);
    },
  );

  it('takes hex in either case, and no other form', () => {
    expect(verifyWebhook(secret, body, signature.toUpperCase())).toBe(true);
    const forms = [
      `sha256=${signature}`,
      ` ${signature}`,
      `${signature}\n`,
      `${signature}, ${signature}`,
      `${signature}00`,
    ];
    for (const form of [...forms, signature.slice(0, 62), Buffer.from(signature, 'hex').toString('base64'), ''])
      expect(verifyWebhook(secret, body, form), form).toBe(false);
    const member = JSON.parse(body).signature.slice('sha256='.length);
    expect(verifyWebhook(secret, body, member)).toBe(false);
  });

  it(
    'during a rotation is true with the new secret, the old one, or both',
    verifies('webhooks.signature.verify'),
    () => {
      const headers = [signature, signatureOf(body, previous)];
      for (const key of [secret, previous, [secret, previous], [previous, secret]])
        expect(verifyWebhook(key, body, headers)).toBe(true);
      expect(verifyWebhook(previous, body, signature)).toBe(false);
      expect(verifyWebhook([secret, previous], body, signature)).toBe(true);
      expect(verifyWebhook(secret, body, [signature, undefined])).toBe(true);
      expect(verifyWebhook(secret, body, [[signature], null])).toBe(true);
      expect(verifyWebhook(['x', 'y'], body, headers)).toBe(false);
    },
  );

  it('never verifies without a secret, whichever key signed', verifies('webhooks.signature.verify'), () => {
    const byAnybody = signatureOf(body, '');
    for (const none of ['', [], [''], undefined, null, [undefined], 0, {}, Buffer.alloc(0)])
      expect(verify(none, body, byAnybody), JSON.stringify(none)).toBe(false);
  });

  it('is false for garbage and never throws', verifies('webhooks.signature.verify'), () => {
    const hostile = {
      get length() {
        throw new Error('read');
      },
      toString() {
        throw new Error('read');
      },
    };
    const proxy = new Proxy([], {
      get() {
        throw new Error('read');
      },
    });
    const garbage = [
      undefined,
      null,
      0,
      1n,
      true,
      Number.NaN,
      '',
      'x',
      {},
      [],
      [[[]]],
      () => 1,
      Symbol('x'),
      hostile,
      proxy,
    ];
    for (const one of garbage) {
      for (const other of garbage) expect(verify(secret, one, other)).toBe(false);
      expect(verify(secret, body, one)).toBe(false);
      expect(verify(secret, one, signature)).toBe(false);
      expect(verify(one, body, signature)).toBe(false);
    }
    expect(verify()).toBe(false);
    expect(verify(secret, JSON.parse(body), signature)).toBe(false);
  });
});
