import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The outer form of an API key: `pbk_`, 43 characters of 256 random bits, 6 of a CRC32 over all that stands before them.
 * The checksum lets a mistyped or invented key be refused without asking the database, and lets scanners of leaked
 * secrets be sure of a find. Source: gaps.md, Identity.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^pbk_[0-9A-Za-z]{49}$/;
const bodyLength = 47;
/** `pbk_` and 8 characters: enough to tell keys apart, and 208 bits stay unknown. */
const prefixLength = 12;

/** A new secret: `pbk_`, 256 random bits and a checksum, in base62. Source: gaps.md, Identity. */
export function newApiKey(): string {
  const body = `pbk_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`;
  return body + checksumOf(body);
}

/** Whether the text has the form and the checksum of an API key. Says nothing about whether the key exists. */
export const isApiKey = (text: unknown): text is string =>
  typeof text === 'string' && pattern.test(text) && text.slice(bodyLength) === checksumOf(text.slice(0, bodyLength));

/** What of a key is stored and shown, for people to tell keys apart: 48 of its bits at most, which help nobody to guess the rest. */
export const apiKeyPrefix = (key: string): string => key.slice(0, prefixLength);

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), 6);

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) text = `${alphabet[Number(rest % 62n)]}${text}`;
  return text;
}
