import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/** 16 characters of a random alphabet are out of the reach of guessing; a shorter one is a mistake. */
const charactersMin = 16;
/** HMAC-SHA256 gains nothing from more than 64. */
const charactersMax = 256;

/**
 * A webhook's secret as its owner gives it. Printable ASCII without blanks: any other text has several byte forms, and a
 * blank at an end is lost in a paste; the signature would then never match.
 */
export const WebhookSecret = z
  .string({ error: 'secret must be a string' })
  .min(charactersMin, `secret must be at least ${charactersMin} characters`)
  .max(charactersMax, { error: `secret must be at most ${charactersMax} characters`, abort: true })
  .regex(/^[\x21-\x7e]*$/, 'secret must be printable ASCII characters without spaces');

/**
 * A new secret: `whsec_` and 33 random bytes in base64, 50 characters. Libraries of Standard Webhooks decode them; for
 * `X-Service-Signature` the text is the key, prefix included. It consists of letters and digits only, which need no
 * quotes.
 */
export function newWebhookSecret(): string {
  for (;;) {
    const encoded = randomBytes(33).toString('base64');
    if (!/[+/]/.test(encoded)) return `whsec_${encoded}`;
  }
}
