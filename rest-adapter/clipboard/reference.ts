import { exampleLaterTime, exampleTime, exampleUuid, uuidOf } from '../reference.ts';

const named = {
  uuid: exampleUuid,
  name: 'summary',
  idx: null,
  value: 'Three open issues, none of them urgent.',
  contentType: 'text/plain',
  encoding: 'utf-8',
  sizeBytes: 39,
  visibility: 'private',
  createdByTool: 'issue-reader',
  createdByModel: null,
  source: 'sdk',
  createdAt: exampleTime,
  updatedAt: exampleTime,
  expiresAt: exampleLaterTime,
} as const;

const pushed = { ...named, uuid: 'd51f8e60-7a2c-4c93-bb48-3f0e9d6a1c75', name: null, idx: 0 } as const;
const { expiresAt: _, ...popped } = pushed;

export const readEntry = {
  summary: 'Read an entry',
  description: 'Reads one entry by `name` or by `idx`, exactly one of them. For clients that cannot send a body.',
  example: { query: { name: 'summary' }, response: { success: true, entry: named } },
} as const;

export const listEntries = {
  summary: 'List entries',
  description:
    'The entries of the profile: the stack by index, then the named entries, the newest first. A page also ends when its values reach 16 MB.',
  example: {
    query: { limit: 1_000, offset: 0 },
    response: { success: true, entries: [pushed, named], total: 2, limit: 1_000, offset: 0 },
  },
} as const;

export const readEntryByUuid = {
  summary: 'Read an entry by its UUID',
  description: 'Also reads entries of others with the visibility `workspace` or `public`.',
  params: uuidOf('entry'),
  example: { response: { success: true, entry: named } },
} as const;

export const getEntry = {
  summary: 'Read an entry by name or index',
  description: 'The body has either `name` or `idx`; 0 is the newest entry of the stack.',
  example: { body: { idx: 0 }, response: { success: true, entry: pushed } },
} as const;

export const setEntry = {
  summary: 'Set a named entry',
  description:
    'Creates the entry, or replaces it and its expiry. The value has at most 2 097 152 bytes (413). An entry lives for 24 hours without `ttlSeconds`, at most 30 days.',
  example: {
    body: {
      name: 'summary',
      value: 'Three open issues, none of them urgent.',
      createdByTool: 'issue-reader',
      ttlSeconds: 86_400,
    },
    response: { success: true, entry: named },
  },
} as const;

export const pushEntry = {
  summary: 'Push a value on the stack',
  description:
    'The new entry has index 0, and the index of every other entry grows by one. The value has at most 2 097 152 bytes (413).',
  example: {
    body: { value: 'Three open issues, none of them urgent.', createdByTool: 'issue-reader' },
    response: { success: true, entry: pushed },
  },
} as const;

export const popEntry = {
  summary: 'Pop the newest entry off the stack',
  description:
    'Removes the entry with index 0 and returns it. Of concurrent requests each gets another entry. An empty stack is 404.',
  example: { response: { success: true, entry: popped } },
} as const;

export const popEntryByPost = {
  ...popEntry,
  summary: 'Pop the newest entry off the stack, by POST',
  description: `${popEntry.description} For clients that cannot send DELETE.`,
} as const;

export const clearEntries = {
  summary: 'Delete all entries with `clearAll`',
  description: 'The same as DELETE /api/clipboard/all, for existing clients.',
  example: { body: { clearAll: true }, response: { success: true, deleted: 2, deletedCount: 2 } },
} as const;

export const deleteEntry = {
  summary: 'Delete an entry',
  description: 'The body has either `name` or `idx`. `deleted` is false when there was no such entry.',
  example: { body: { name: 'summary' }, response: { success: true, deleted: true } },
} as const;

export const deleteEntries = {
  summary: 'Delete all entries',
  description: 'Deletes all entries of the profile, named ones and the stack.',
  example: { response: { success: true, deletedCount: 2 } },
} as const;
