import { randomUUID } from 'node:crypto';
import type { NewEntry } from '../../src/clipboard/statements.ts';

/** What the platform stores where a client says nothing else. */
export const defaults = {
  contentType: 'text/plain',
  encoding: 'utf-8',
  visibility: 'private',
  createdByTool: null,
  createdByModel: null,
  source: 'sdk',
} as const;

/** An entry of an ASCII value as statements write it. */
export const newEntry = (value = 'value'): NewEntry => ({
  ...defaults,
  uuid: randomUUID(),
  value,
  sizeBytes: value.length,
  ttlSeconds: 60,
});
