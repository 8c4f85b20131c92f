import { hash } from 'node:crypto';

/**
 * SHA-256 of a secret of 256 random bits, which needs no slow hash. Looking a secret up by it compares in constant time
 * as far as an attacker can tell: he does not know the hash that he steps through.
 */
export const secretHash = (secret: string): Buffer<ArrayBuffer> =>
  hash('sha256', secret, 'buffer') as Buffer<ArrayBuffer>;
