import { z } from 'zod';
import { Refusal } from './errors.ts';

/**
 * Judges the values of an input, once, in the service.
 *
 * @returns The parsed value with defaults filled in; unknown fields are dropped.
 * @throws {Refusal} `VALIDATION_ERROR` with `details`: a map from field to message, the first message of each field.
 */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = judge(schema, input);
  if (result.success) return result.data;
  throw new Refusal('VALIDATION_ERROR', 'Validation error', { details: fieldMessages(result.error) });
}

/**
 * The same without throwing. V8 reads JSON of any depth; zod compares the `length` of whatever has one, and writes it out by calls
 * for that: what is too deep for those is a mistake like any other.
 */
export function judge<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(input);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const field = deepestOf(input);
    const message = `${field ?? 'input'} is nested too deeply`;
    const error = new z.ZodError([{ code: 'custom', path: field ? [field] : [], message, input }]);
    return { success: false, error: error as z.ZodError<z.output<Schema>> };
  }
}

/** The member of an object that has the most levels. */
function deepestOf(input: unknown): string | undefined {
  const left = Object.entries(input instanceof Object ? input : {}).map(([field, value]) => ({ field, value }));
  let deepest: string | undefined;
  // Level by level: whose values are left at the end has most of them.
  for (let next = left; next.length > 0; ) {
    deepest = next.at(-1)?.field;
    next = next.flatMap(({ field, value }) =>
      value instanceof Object ? Object.values(value).map((inner: unknown) => ({ field, value: inner })) : [],
    );
  }
  return deepest;
}

/** A map from field (dotted path; `input` for the whole) to the first message about it. */
export function fieldMessages(error: z.ZodError): Record<string, string> {
  const messages: Record<string, string> = Object.create(null);
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'input';
    messages[field] ??= issue.message;
  }
  return messages;
}

/**
 * A string that PostgreSQL can store and give back unchanged: no NUL, which `text` cannot hold, and no lone surrogate,
 * which UTF-8 cannot express.
 */
export const storableText = (field: string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? `${field} is required` : `${field} must be a string`) })
    .refine((value) => !value.includes('\u0000'), { error: `${field} must not contain NUL characters`, abort: true })
    .refine((value) => value.isWellFormed(), { error: `${field} must be well-formed Unicode`, abort: true });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to refuse
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** One line of text for a label: 1 to `max` characters, no control characters. */
export const label = (field: string, max: number) => line(field, max).min(1, `${field} must not be empty`);

/** Letters, numbers, punctuation and symbols, emoji among them: what is seen of a text. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A label by which people know something: there is something to see. */
export const shownLabel = (field: string, max: number) =>
  label(field, max).refine((value) => value === '' || visible.test(value), `${field} must have a visible character`);

/** The same as a label, or empty. */
export const line = (field: string, max: number) =>
  storableText(field)
    .max(max, `${field} must be at most ${max} characters`)
    .refine((value) => !controlCharacters.test(value), `${field} must not contain control characters`);

/** A whole number between two bounds, inclusive. A string of digits is not a number. */
export const integerBetween = (field: string, min: number, max: number) => {
  const message = `${field} must be an integer from ${min} to ${max}`;
  return z.int({ error: message }).min(min, message).max(max, message);
};

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL would take the text as a uuid. A malformed id is answered like an unknown one, without asking. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuidPattern.test(text);

/**
 * Whether a text is an address of the web that may be shown to everybody: one with another scheme is somebody's script as soon as
 * a page links to it, and before an `@` stands a password.
 */
export function isHttpUrl(text: string | null | undefined): text is string {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
