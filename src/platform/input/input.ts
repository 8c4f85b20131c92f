import { z } from 'zod';
import { ApiError } from '../errors.ts';

/**
 * Rules that a schema cannot state because they depend on settings, a catalogue or the time.
 *
 * @param fields The parsed fields that the schema finds valid; a field that it finds wrong is absent.
 * @returns A message for each wrong field.
 */
export type FieldCheck<Fields> = (fields: Partial<Fields>) => Readonly<Record<string, string | undefined>>;

/**
 * Validates an input by its schema, and its fields by a check.
 *
 * @returns The parsed value with defaults filled in; unknown fields are dropped.
 * @throws {ApiError} `VALIDATION_ERROR` with `details`: a map from field to message, the first message of each field, as
 *   `fieldMessages` gives it. All wrong fields are named at once.
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  check?: FieldCheck<z.output<Schema>>,
): z.output<Schema> {
  const result = validate(schema, input, check);
  if (result.success) return result.data;
  throw invalid(fieldMessages(result.error));
}

/** The error for wrong fields. @param details A map from field to message. */
export const invalid = (details: Readonly<Record<string, string>>) =>
  new ApiError('VALIDATION_ERROR', 'Validation error', { details });

/** The same as `parse` without throwing. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  check?: FieldCheck<z.output<Schema>>,
): z.ZodSafeParseResult<z.output<Schema>> {
  const result = validateForm(schema, input);
  if (!check) return result;
  const fields = result.success ? result.data : validFields(schema, input, result.error);
  const mistakes = Object.entries(check(fields)).flatMap(([field, message]): z.core.$ZodIssue[] =>
    message === undefined ? [] : [{ code: 'custom', path: [field], message, input: undefined }],
  );
  if (mistakes.length === 0) return result;
  const error = new z.ZodError([...(result.error?.issues ?? []), ...mistakes]);
  return { success: false, error: error as z.ZodError<z.output<Schema>> };
}

/** The fields of an object that are valid although others are not. */
function validFields<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { issues }: z.ZodError,
): Partial<z.output<Schema>> {
  if (!(schema instanceof z.ZodObject) || !(input instanceof Object)) return {};
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const parsed = wrong.has(name) ? null : (field as z.ZodType).safeParse((input as Record<string, unknown>)[name]);
    return parsed?.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(fields);
}

/** For a rule about several fields of an object: it applies when these fields are valid, whatever is wrong with others. */
export const whenValid = (...fields: string[]) => ({
  when: ({ issues }: z.core.ParsePayload) => !issues.some(({ path }) => fields.includes(String(path?.[0]))),
});

/**
 * V8 reads JSON of any depth, but zod compares and prints values by recursive calls: a value that is too deep for the call stack is
 * reported as a mistake of its field.
 */
function validateForm<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(input);
  } catch (thrown) {
    const field = thrown instanceof RangeError ? deepFieldOf(input) : null;
    if (field === null) throw thrown;
    const message = `${field} is nested too deeply`;
    const error = new z.ZodError([{ code: 'custom', path: field === 'input' ? [] : [field], message, input }]);
    return { success: false, error: error as z.ZodError<z.output<Schema>> };
  }
}

/** A value with more levels than this can exceed the call stack. */
const levelsMax = 500;
/** Values that the search for a deep field looks at, so that a failed validation stays cheap. */
const searchedValuesMax = 100_000;

/**
 * The first member of an object that is nested too deeply.
 *
 * @returns `input` when the search ended before it found one; null when no member is too deep.
 */
function deepFieldOf(input: unknown): string | null {
  let searched = 0;
  for (const [field, value] of Object.entries(input instanceof Object ? input : {})) {
    const left = [{ value: value as unknown, levels: 1 }];
    for (let next = left.pop(); next; next = left.pop()) {
      if (!(next.value instanceof Object)) continue;
      if (next.levels > levelsMax) return field;
      for (const inner in next.value) {
        if (++searched > searchedValuesMax) return 'input';
        left.push({ value: next.value[inner as keyof typeof next.value], levels: next.levels + 1 });
      }
    }
  }
  return null;
}

/** A response names at most this many wrong fields. A client that has more mistakes reads the documentation. */
export const namedFieldsMax = 50;

/**
 * A map from field (dotted path; `input` for the whole) to the first message about it. Of more than 50 fields the first 50 are
 * named, and the last entry, `…`, says that there are more.
 */
export const fieldMessages = ({ issues }: Pick<z.ZodError, 'issues'>): Record<string, string> =>
  firstMessages(issues.map(({ path, message }) => [path.map(String).join('.') || 'input', message]));

/** The same for messages that a service made. */
export function firstMessages(messages: Iterable<readonly [field: string, message: string]>): Record<string, string> {
  const first = new Map<string, string>();
  for (const [field, message] of messages) if (!first.has(field)) first.set(field, message);
  const named: Record<string, string> = Object.create(null);
  for (const [field, message] of [...first].slice(0, namedFieldsMax)) named[field] = message;
  if (first.size > namedFieldsMax) named['…'] = 'More fields are wrong';
  return named;
}

/**
 * A list of bounded length. The length is validated before the elements: a list that is too long costs nothing, whatever it holds,
 * and has one mistake. (Zod does so for length checks that come first.)
 *
 * @param items `of` is what the message about a value that is not a list calls its items; `min` is 0 if left out.
 */
export function listOf<Element extends z.ZodType>(
  field: string,
  element: Element,
  { of, min = 0, max }: { of: string; min?: number; max: number },
) {
  const list = z.array(element, {
    error: ({ input }) => (input === undefined ? `${field} is required` : `${field} must be a list of ${of}`),
  });
  const least = min > 0 ? list.min(min, `${field} must have at least ${min} ${min === 1 ? 'item' : 'items'}`) : list;
  return least.max(max, `${field} must have at most ${max} items`);
}

/**
 * A rule about text of at most `max` characters, for `refine`. Longer text has its mistake already: the rule, often a regular
 * expression, does not run on it.
 */
export const upTo = (max: number, rule: (text: string) => boolean) => (text: string) =>
  // A character has at most two UTF-16 units.
  text.length > 2 * max || rule(text);

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

/** Letters, numbers, punctuation and symbols, emoji included: the visible characters of a text. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A label by which people know something: there is something to see. */
export const shownLabel = (field: string, max: number) =>
  label(field, max).refine(
    upTo(max, (value) => value === '' || visible.test(value)),
    `${field} must have a visible character`,
  );

/** The same as a label, or empty. */
export const line = (field: string, max: number) =>
  storableText(field)
    .max(max, `${field} must be at most ${max} characters`)
    .refine(
      upTo(max, (value) => !controlCharacters.test(value)),
      `${field} must not contain control characters`,
    );

/** An instant as text, ISO 8601 with a zone, in either case. The text is at most 64 characters, more than any instant has. */
const isoInstant = z
  .string()
  .max(64, { abort: true })
  .toUpperCase()
  .check(z.iso.datetime({ offset: true }));

/** A whole number between two bounds, inclusive. A string of digits is not a number. */
export const integerBetween = (field: string, min: number, max: number) => {
  const message = `${field} must be an integer from ${min} to ${max}`;
  return z.int({ error: message }).min(min, message).max(max, message);
};

/** The size of a page. @param rowsDefault Rows when it is left out. */
export const pageLimit = (max: number, rowsDefault: number) =>
  integerBetween('limit', 1, max)
    .nullish()
    .transform((limit) => limit ?? rowsDefault)
    .describe(`Number of rows: 1 to ${max}, ${rowsDefault} by default.`);

/** The place where a page begins. */
export const pageOffset = integerBetween('offset', 0, 2_147_483_647)
  .nullish()
  .transform((offset) => offset ?? 0)
  .describe('Number of rows to skip, 0 by default.');

/** A page by offset. @param rowsDefault Rows when the limit is left out. */
export const pageRequest = (max: number, rowsDefault: number) =>
  z.object({ limit: pageLimit(max, rowsDefault), offset: pageOffset });

/** Rows of a page of the graph where the request does not say. */
export const firstDefault = 20;

/** The size of a page of the graph: 0 to `max` rows. */
export const firstRows = (max = 100, rowsDefault = firstDefault) =>
  integerBetween('first', 0, max)
    .nullish()
    .transform((first) => first ?? rowsDefault);

/** The cursor after which a page begins; null for the first page. @param placeOf Null for text that is no cursor of the list. */
export const afterCursor = <Place>(placeOf: (cursor: string) => Place | null) =>
  z
    .string()
    .nullish()
    .transform((cursor, context): Place | null => {
      if (cursor === null || cursor === undefined) return null;
      const place = placeOf(cursor);
      if (place === null) context.addIssue({ code: 'custom', message: 'after is not a cursor of this list' });
      return place;
    });

/** One of a fixed set of words. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(field: string, values: Values) =>
  z.enum(values, {
    error: ({ input }) =>
      input === undefined ? `${field} is required` : `${field} must be one of: ${values.join(', ')}`,
  });

/** The message about a value that is not an instant. */
export const instantMessage = (field: string) => `${field} must be an RFC 3339 time such as 2026-01-31T12:00:00Z`;

/** An instant: a Date from the GraphQL API, which reads the text itself, or the text that the REST API accepts and documents. */
export const instant = (field: string) =>
  z.union([z.date(), isoInstant.transform((text) => new Date(text))], { error: instantMessage(field) });

/** A Boolean. In a query string it is `true` or `false`, which the REST layer reads. */
export const trueOrFalse = (field: string) => z.boolean({ error: `${field} must be true or false` });

/** The replacement of a secret value that is not shown. Source: docs/specification/mcp-servers.md#secrets. */
export const mask = '********';

/** A url without its query, which often contains a key, for callers who may not see secrets. */
export function maskedUrl(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : `${url.slice(0, query)}?${mask}`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL would take the text as a uuid. A malformed id is answered like an unknown one, without asking. */
export const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && text.length === 36 && uuidPattern.test(text);

/** @returns The uuid in lower case. @throws {ApiError} The given one for any other text: no query is needed to know that it is not found. */
export function requireUuid(text: string, notFound: () => ApiError): string {
  if (!isUuid(text)) throw notFound();
  return text.toLowerCase();
}

/**
 * Whether a text is an address of the web that may be shown to every user: one with another scheme can run a script as soon as
 * a page links to it, and before an `@` stands a password.
 */
export function isHttpUrl(text: string | null | undefined): text is string {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
