import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * For receivers: whether a delivery comes from who knows the secret. See docs/webhooks.md.
 *
 * Plain JavaScript that needs nothing but node:crypto: import it as `patchbay/verify-webhook`, or copy this file. Its types
 * are in verify-webhook.d.mts.
 *
 * Compares in constant time and never throws: whatever is not a genuine delivery is false, an empty or missing secret and
 * a body that was parsed already included. Says nothing about duplicates: one delivery may come twice with the same `id`.
 *
 * @param {string | readonly string[]} secret As it is written, `whsec_` included; during a rotation the new and the old one.
 * @param {string | Uint8Array} rawBody The bytes as they came, or their text in UTF-8.
 * @param {import('./verify-webhook.d.mts').SignatureHeader | readonly import('./verify-webhook.d.mts').SignatureHeader[]} header
 *   The value of X-Service-Signature: 64 hex digits, in either case. Or several, such as that and X-Service-Signature-Previous.
 * @returns {boolean} True when one of the signatures is the body's under one of the secrets.
 */
export function verifyWebhook(secret, rawBody, header) {
  try {
    const signatures = [header].flat(2).filter(isSignature);
    let isGenuine = false;
    for (const key of [secret].flat().filter(isSecret)) {
      const expected = createHmac('sha256', key).update(rawBody).digest();
      for (const signature of signatures)
        isGenuine = timingSafeEqual(Buffer.from(signature, 'hex'), expected) || isGenuine;
    }
    return isGenuine;
  } catch {
    return false;
  }
}

const isSignature = (text) => typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text);

/** An empty key, from a missing setting, would accept signatures of anyone. */
const isSecret = (text) => typeof text === 'string' && text !== '';
