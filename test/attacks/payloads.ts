import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';

/** JSON texts that cost more to take in than to send. Written as texts: some of them no program of ours could hold as values. */

const repeated = (text: string, times: number) => Array<string>(times).fill(text).join(',');

/** An object of fields that no input has. */
export const unknownFields = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"unknown${i}":1`).join(',')}}`;

export const nulls = (count: number): string => `[${repeated('null', count)}]`;
export const emptyObjects = (count: number): string => `[${repeated('{}', count)}]`;
export const numbers = (count: number): string => `[${repeated('1', count)}]`;
/** Lists in lists. */
export const levels = (count: number): string => `${'['.repeat(count)}${']'.repeat(count)}`;
/** Objects in objects under a name. */
export const nested = (name: string, count: number): string => `${`{"${name}":`.repeat(count)}null${'}'.repeat(count)}`;
export const text = (character: string, length: number): string => `"${character.repeat(length)}"`;

export type Packing = 'plain' | 'gzip' | 'br' | 'deflate';
export const packings: readonly Packing[] = ['plain', 'gzip', 'br', 'deflate'];

/** A body as it goes out, with the headers that say so. */
export function packed(json: string, packing: Packing): { headers: Record<string, string>; body: Uint8Array } {
  const plain = Buffer.from(json);
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  if (packing === 'plain') return { headers, body: plain };
  const pack = {
    gzip: (bytes: Buffer) => gzipSync(bytes, { level: 9 }),
    br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    deflate: (bytes: Buffer) => deflateSync(bytes, { level: 9 }),
  }[packing];
  return { headers: { ...headers, 'Content-Encoding': packing }, body: pack(plain) };
}
