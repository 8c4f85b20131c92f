import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EncryptionKey } from '../../../src/platform/security/encryption-keys.ts';
import { createSecrets, SealError } from '../../../src/platform/security/secrets.ts';
import { verifies } from '../../requirements.ts';

const key = (id: string, byte = id.charCodeAt(0)): EncryptionKey => ({
  id,
  key: createSecretKey(Buffer.alloc(32, byte)),
});
const secrets = createSecrets({ keys: [key('k1')] });
const context = 'webhook 7d2f secret';

function failureOf(sealed: string, { open } = secrets, place = context): SealError {
  try {
    open(sealed, place);
  } catch (error) {
    expect(error).toBeInstanceOf(SealError);
    return error as SealError;
  }
  throw new Error('it was opened');
}

/** Each text that differs from this one in one character, which is another one of the same alphabet. */
const changed = (text: string): string[] =>
  Array.from(text, (character, at) => text.slice(0, at) + (character === 'A' ? 'B' : 'A') + text.slice(at + 1));

describe('a sealed secret', () => {
  it.each(['', 'x', 'whsec_abc', 'ключ 🔑\u0000\n', 'x'.repeat(100_000)])(
    'opens to the sealed text',
    verifies('platform.secrets.sealed'),
    (text) => {
      expect(secrets.open(secrets.seal(text, context), context)).toBe(text);
    },
  );

  it('is ASCII in the documented form and shows nothing of the secret', () => {
    const sealed = secrets.seal('whsec_canary', context);
    expect(sealed).toMatch(/^1\.k1\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split('.')[2] as string, 'base64url').toString('latin1')).not.toContain('canary');
  });

  it('is another one each time', () => {
    const all = Array.from({ length: 1_000 }, () => secrets.seal('same', context).slice(5, 21));
    expect(new Set(all).size).toBe(1_000);
  });

  it('does not open in another place', verifies('platform.secrets.sealed'), () => {
    const sealed = secrets.seal('canary', context);
    for (const place of ['', 'webhook 7d2f secre', `${context} `, 'webhook 7d2e secret', `1\n${context}`])
      expect(failureOf(sealed, secrets, place).message, place).toMatch(/changed, or belongs to another row/);
  });

  it('does not open with any of its characters changed', verifies('platform.secrets.sealed'), () => {
    for (const length of [0, 1, 2, 3, 40]) {
      const sealed = secrets.seal('c'.repeat(length), context);
      for (const other of changed(sealed)) failureOf(other);
    }
  });

  it('does not open with a bit of nonce, tag or text flipped, cut, longer, or in another spelling', () => {
    const sealed = secrets.seal('canary', context);
    const bytes = Buffer.from(sealed.slice(5), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
      failureOf(`1.k1.${other.toString('base64url')}`);
    }
    for (let length = 0; length < sealed.length; length += 1) failureOf(sealed.slice(0, length));
    for (const other of [`${sealed}A`, `${sealed}=`, `${sealed}\n`, ` ${sealed}`, sealed.replace('1.', '2.')])
      failureOf(other);
    // 34 bytes leave four bits of the last character unused.
    const last = sealed.at(-1) as string;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    failureOf(sealed.slice(0, -1) + alphabet[alphabet.indexOf(last) + 1]);
  });

  it('that cannot be opened is reported without its content', verifies('platform.secrets.sealed'), () => {
    for (const error of [failureOf('whsec_canary'), failureOf('1.k1.canary'), failureOf('')])
      expect(error.message).toBe('This is not a sealed secret');
    const unknown = failureOf(createSecrets({ keys: [key('old')] }).seal('canary', context));
    expect(unknown.message).toContain('the key old,');
    for (const error of [unknown, failureOf(secrets.seal('canary', 'elsewhere'))])
      expect(`${error.stack}${JSON.stringify(error)}${error.cause}`).not.toContain('canary');
  });

  it('is not made of a lone surrogate, which would not come back', () => {
    expect(() => secrets.seal('\ud800', context)).toThrow(TypeError);
  });
});

describe('rotation of keys', () => {
  it('seals with the first and opens what any has sealed', verifies('platform.secrets.rotation'), () => {
    const old = secrets.seal('one', context);
    const both = createSecrets({ keys: [key('k2'), key('k1', 'k1'.charCodeAt(0))] });
    const renewed = both.seal('two', context);
    expect(renewed).toMatch(/^1\.k2\./);
    expect(both.open(old, context)).toBe('one');
    expect(both.open(renewed, context)).toBe('two');
    expect(failureOf(renewed).message).toContain('the key k2,');
  });

  it('does not try the other keys: an id stands for one key', () => {
    const old = secrets.seal('one', context);
    const renamed = createSecrets({ keys: [key('k2'), key('k0', 'k1'.charCodeAt(0))] });
    failureOf(old, renamed);
    failureOf(old.replace('.k1.', '.k0.'), renamed);
    failureOf(old, createSecrets({ keys: [key('k1', 0)] }));
  });

  it('needs a key', () => {
    expect(() => createSecrets({ keys: [] })).toThrow(TypeError);
  });
});

describe('a pseudonym', () => {
  it(
    'is the same for the same text, context and key, and for nothing else',
    verifies('platform.secrets.pseudonyms'),
    () => {
      const own = secrets.pseudonym('ann', 'asker');
      expect(own).toMatch(/^[0-9a-f]{32}$/);
      expect(createSecrets({ keys: [key('k1'), key('other')] }).pseudonym('ann', 'asker')).toBe(own);
      const others = [
        secrets.pseudonym('ben', 'asker'),
        secrets.pseudonym('ann', 'query'),
        secrets.pseudonym('', 'asker\nann'),
        createSecrets({ keys: [key('other'), key('k1')] }).pseudonym('ann', 'asker'),
      ];
      expect(new Set([own, ...others]).size).toBe(5);
    },
  );
});
