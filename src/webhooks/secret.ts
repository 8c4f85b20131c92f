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
  .regex(/^[\x21-\x7e]*$/, 'secret must be printable ASCII characters without blanks');

/** A new secret: `whsec_` and 256 random bits in base64url, 49 characters. The prefix is part of the key. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;
