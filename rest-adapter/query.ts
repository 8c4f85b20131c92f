import { Refusal } from '../src/platform/errors.ts';

/**
 * The values of a query string by name.
 *
 * @throws {Refusal} `VALIDATION_ERROR` for a name that is given twice, bad percent-encoding, or text that cannot be stored.
 */
export function readQuery(url: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return values;
  const text = url.slice(start + 1);
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refusal('query', 'The query string is not valid percent-encoding');
  }
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in values) throw refusal(name, `${name} must be given once`);
    if (value.includes('\u0000')) throw refusal(name, `${name} must not contain NUL characters`);
    values[name] = value;
  }
  return values;
}

const refusal = (field: string, message: string) =>
  new Refusal('VALIDATION_ERROR', 'Validation error', { details: { [field]: message } });
