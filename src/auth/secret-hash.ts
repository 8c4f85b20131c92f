import { hash } from 'node:crypto';

/**
 * SHA-256 of a secret of 256 random bits, which needs no slow hash. A lookup by hash reveals nothing through its
 * timing: an attacker cannot choose the hash that is compared.
 */
export const secretHash = (secret: string): Buffer<ArrayBuffer> =>
  hash('sha256', secret, 'buffer') as Buffer<ArrayBuffer>;
