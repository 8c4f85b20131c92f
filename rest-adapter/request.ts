import type { z } from 'zod';
import { fieldMessages, validate } from '../src/platform/input.ts';
import type { RawRequest, Route, RouteRequest } from './route.ts';

/** A valid request; or null, and a message for every wrong field of the query and the body. */
type ParsedRequest =
  | { readonly request: RouteRequest; readonly wrong: null }
  | { readonly request: null; readonly wrong: Readonly<Record<string, string>> };

/** Parses a request by the schemas of its route. */
export function parseRequest({ query, input }: Route, { params, ...raw }: RawRequest): ParsedRequest {
  const parsedQuery = query && validate(query, queryValues(query, raw.query));
  const parsedBody = input && validate(input, raw.body);
  const issues = [parsedQuery, parsedBody].flatMap((parsed) => parsed?.error?.issues ?? []);
  if (issues.length > 0) return { request: null, wrong: fieldMessages({ issues }) };
  return { request: { params, query: parsedQuery?.data ?? {}, body: parsedBody?.data ?? {} }, wrong: null };
}

/** A plain integer, as clients write it. Any other text, such as `1e3` or `007`, stays text, which no number schema takes. */
const integerPattern = /^(0|-?[1-9]\d{0,14})$/;

/** The values of a query string as its schema takes them: integers as numbers, everything else as text. */
function queryValues({ shape }: z.ZodObject, query: RawRequest['query']): Record<string, unknown> {
  const values: Record<string, unknown> = { ...query };
  for (const [name, schema] of Object.entries(shape)) {
    const text = query[name];
    if (text !== undefined && text.length <= 16 && integerPattern.test(text) && takesNumber(schema as z.ZodType))
      values[name] = Number(text);
  }
  return values;
}

/** Whether a schema takes a number, below what makes it optional, fills in a default or transforms it. */
function takesNumber(schema: z.ZodType): boolean {
  const { type, innerType, in: inner } = schema.def as { type: string; innerType?: z.ZodType; in?: z.ZodType };
  const below = innerType ?? inner;
  return below ? takesNumber(below) : type === 'number';
}
