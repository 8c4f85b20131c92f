import { ApiError } from '../src/platform/errors.ts';

/**
 * The values of a query string by name.
 *
 * @throws {ApiError} `VALIDATION_ERROR` for a name that is given twice, bad percent-encoding, or text that cannot be stored.
 */
export function readQuery(url: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return values;
  const text = url.slice(start + 1);
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw apiError('query', 'The query string is not valid percent-encoding');
  }
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in values) throw apiError(name, `${name} must be given once`);
    if (value.includes('\u0000')) throw apiError(name, `${name} must not contain NUL characters`);
    values[name] = value;
  }
  return values;
}

const apiError = (field: string, message: string) =>
  new ApiError('VALIDATION_ERROR', 'Validation error', { details: { [field]: message } });
