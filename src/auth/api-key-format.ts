import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The outer form of an API key: `pbk_`, 43 characters of 256 random bits, 6 of a CRC32 over all that stands before them.
 * The checksum lets a mistyped or invented key be refused without asking the database, and lets scanners of leaked
 * secrets be sure of a find. Source: docs/specification/identity.md#api-keys.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^pb[ka]_[0-9A-Za-z]{49}$/;
const bodyLength = 47;
/** `pbk_` and 8 characters: enough to distinguish keys, and 208 bits stay unknown. */
const prefixLength = 12;

/** What a bearer is of: `pbk_` is an API key, `pba_` the credential of an agent. */
type BearerPrefix = 'pbk_' | 'pba_';

function newBearer(prefix: BearerPrefix): string {
  const body = `${prefix}${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`;
  return body + checksumOf(body);
}

const isBearer = (text: unknown, prefix: BearerPrefix): text is string =>
  typeof text === 'string' &&
  pattern.test(text) &&
  text.startsWith(prefix) &&
  text.slice(bodyLength) === checksumOf(text.slice(0, bodyLength));

/** A new secret: `pbk_`, 256 random bits and a checksum, in base62. Source: docs/specification/identity.md#api-keys. */
export const newApiKey = (): string => newBearer('pbk_');

/** Whether the text has the form and the checksum of an API key. Says nothing about whether the key exists. */
export const isApiKey = (text: unknown): text is string => isBearer(text, 'pbk_');

/** The credential that an agent's pods use: the same form with the prefix `pba_`. */
export const newAgentCredential = (): string => newBearer('pba_');

/** Whether the text has the form and the checksum of an agent's credential. Says nothing about whether it exists. */
export const isAgentCredential = (text: unknown): text is string => isBearer(text, 'pba_');

/**
 * The stored and shown part of a key, by which people distinguish keys: at most 48 of its bits, too few to guess the
 * rest.
 */
export const apiKeyPrefix = (key: string): string => key.slice(0, prefixLength);

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), 6);

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) text = `${alphabet[Number(rest % 62n)]}${text}`;
  return text;
}
