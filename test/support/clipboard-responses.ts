import { expect } from 'vitest';

// What the clipboard's paths answer, over and over. Source: docs/specification/clipboard.md.

export const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

export const notFound = { success: false, error: 'Entry not found' };

/** A refused body that names at least these fields. */
export const invalid = (...fields: string[]) => ({
  success: false,
  error: 'Validation error',
  ...(fields.length > 0 && {
    details: expect.objectContaining(Object.fromEntries(fields.map((field) => [field, expect.any(String)]))),
  }),
});

/** A refused body that names this field and no other. */
export const apiErrorOf = (field: string) => ({
  success: false,
  error: 'Validation error',
  details: { [field]: expect.any(String) },
});

/** What every failure of the clipboard looks like. Source: docs/specification/errors.md#clipboard-errors. */
export const apiError = { success: false, error: expect.any(String) };

/** Parses a refusal, and sees to it that it is JSON in the clipboard's shape with nothing undocumented in it. */
export function bodyOf(answer: {
  text: string;
  headers: Record<string, string | string[] | undefined>;
}): Record<string, unknown> {
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  expect(body).toMatchObject(apiError);
  expect(['success', 'error', 'details', 'retryAfter']).toEqual(expect.arrayContaining(Object.keys(body)));
  return body;
}

/** The two ways to store a value, and what says where. */
export const writes = [
  ['/api/clipboard', { name: 'n' }],
  ['/api/clipboard/push', {}],
] as const;
