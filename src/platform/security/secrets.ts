import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EncryptionKey } from './encryption-keys.ts';

/** A sealed secret that cannot be opened. Holds nothing of the secret; a log may show it. */
export class SealError extends Error {
  override name = 'SealError';
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Version, key id, and base64url of nonce, tag and the encrypted text. */
const form = /^1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{38,})$/;

export type Secrets = ReturnType<typeof createSecrets>;

/**
 * Secrets at rest: AES-256-GCM with a random nonce. Source: docs/specification/operations.md#secrets-at-rest.
 *
 * A sealed secret is ASCII text, `1.<key id>.<base64url>`, a third longer than the secret and 50 characters: `npm run
 * secrets:reencrypt` seals all secrets by the first key and shows which keys are still needed. A key may seal 2^32
 * secrets (NIST SP 800-38D, 8.3); far below that, a collision of two nonces is negligible.
 *
 * @param options.keys As `encryptionKeysOf` returns them: the first seals, all open.
 */
export function createSecrets({ keys }: { keys: readonly EncryptionKey[] }) {
  const [current] = keys;
  if (!current) throw new TypeError('Secrets need a key');
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]));

  /**
   * @param text Any well-formed text, also the empty one. Its length can be derived from the sealed form.
   * @param context The purpose and owner of the secret, such as `webhook <uuid> secret`: a sealed secret that is moved
   * to another row or column cannot be opened there. Must be the same in `open`.
   * @throws {TypeError} For a lone surrogate, which UTF-8 would change.
   */
  function seal(text: string, context: string): string {
    if (!text.isWellFormed()) throw new TypeError('A secret must be well-formed Unicode');
    const { id, key } = current as EncryptionKey;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(boundTo(id, context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `1.${id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  /** @throws {SealError} Not a sealed secret, an unknown key id, another context, or tampered with. */
  function open(sealed: string, context: string): string {
    const [, id = '', text = ''] = form.exec(sealed) ?? [];
    const bytes = Buffer.from(text, 'base64url');
    // The last character has bits that decoding ignores: one secret, one form.
    if (id === '' || bytes.toString('base64url') !== text) throw new SealError('This is not a sealed secret');
    const key = keyOf.get(id);
    if (!key) throw new SealError(`A secret is sealed by the key ${id}, which is not among the encryption keys`);
    const nonce = bytes.subarray(0, nonceBytes);
    const cipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(boundTo(id, context));
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return cipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + cipher.final('utf8');
    } catch {
      throw new SealError(`A secret sealed by the key ${id} was changed, or belongs to another row`);
    }
  }

  const pseudonymKey = hkdfSync('sha256', current.key, '', 'patchbay pseudonym 1', 32);

  /**
   * A pseudonym for text that must not be stored: the same for the same text and context, and useless without the key.
   * Another first key changes all pseudonyms.
   *
   * @returns 128 bits in hexadecimal.
   */
  const pseudonym = (text: string, context: string): string =>
    createHmac('sha256', Buffer.from(pseudonymKey)).update(`${context}\n${text}`).digest('hex').slice(0, 32);

  /** By key id. */
  const signatureKeys = new Map(
    keys.map(({ id, key }) => [id, Buffer.from(hkdfSync('sha256', key, '', 'patchbay signature 1', 32))]),
  );
  const signatureBy = (key: Buffer, text: string, context: string): Buffer =>
    createHmac('sha256', key).update(context).update('\n').update(text).digest();

  /**
   * Signs a text by HMAC-SHA256, so that a change of the stored text is detected.
   *
   * @param context The purpose of the signature, without line feeds. Must be the same in `isSigned`.
   * @returns `<key id>.<base64url>`.
   */
  const sign = (text: string, context: string): string =>
    `${current.id}.${signatureBy(signatureKeys.get(current.id) as Buffer, text, context).toString('base64url')}`;

  /** Whether a signature is that of a text, by any of the keys. Compares in constant time; never throws. */
  function isSigned(text: string, context: string, signature: string): boolean {
    const dot = signature.indexOf('.');
    const key = signatureKeys.get(signature.slice(0, Math.max(dot, 0)));
    if (!key) return false;
    const given = Buffer.from(signature.slice(dot + 1), 'base64url');
    const expected = signatureBy(key, text, context);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  return { seal, open, pseudonym, sign, isSigned };
}

/** An id holds no line feed, so that no other id and context give the same bytes. */
const boundTo = (id: string, context: string): Buffer => Buffer.from(`patchbay secret 1\n${id}\n${context}`);
