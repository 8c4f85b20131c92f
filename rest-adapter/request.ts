import type { z } from 'zod';
import { fieldMessages, validate } from '../src/platform/input/input.ts';
import type { RawRequest, RequestChecks, Route, RouteRequest } from './route.ts';

/** A valid request and the variables of its operation; or null, and a message for every wrong field of the query and the body. */
type ParsedRequest =
  | { readonly request: RouteRequest; readonly variables: unknown; readonly wrong: null }
  | { readonly request: null; readonly wrong: Readonly<Record<string, string>> };

/** Parses a request by the schemas of its route. */
export function parseRequest(
  { query, input, check, variables }: Route,
  { params, fileUuid = '', lastEventId = '', ...raw }: RawRequest,
  checks: Partial<RequestChecks> = {},
): ParsedRequest {
  const parsedQuery = query && validate(query, queryValues(query, raw.query));
  const parsedBody = input && validate(input, raw.body);
  if (parsedQuery?.error || parsedBody?.error) {
    // The operation applies these rules after authorization. A request that is rejected earlier gets the messages here.
    const checkedBody = input && check ? validate(input, raw.body, checks[check]) : parsedBody;
    const issues = [parsedQuery, checkedBody].flatMap((parsed) => parsed?.error?.issues ?? []);
    return { request: null, wrong: fieldMessages({ issues }) };
  }
  const request = { params, fileUuid, lastEventId, query: parsedQuery?.data ?? {}, body: parsedBody?.data ?? {} };
  const ofGraph = {
    params,
    fileUuid,
    lastEventId,
    query: query ? (graphValue(query, request.query) as RouteRequest['query']) : {},
    body: input ? graphValue(input, request.body) : {},
  };
  return { request, variables: variables(ofGraph), wrong: null };
}

/** A plain integer, as clients write it. Any other text, such as `1e3` or `007`, stays text, which no number schema takes. */
const integerPattern = /^(0|-?[1-9]\d{0,14})$/;

/** The values of a query string as its schema takes them: integers as numbers, `true` and `false` as Booleans, everything else as text. */
function queryValues({ shape }: z.ZodObject, query: RawRequest['query']): Record<string, unknown> {
  const values: Record<string, unknown> = { ...query };
  for (const [name, schema] of Object.entries(shape)) {
    const text = query[name];
    if (text === undefined || text.length > 16) continue;
    const { type } = coreOf(schema as z.ZodType).def;
    if (type === 'number' && integerPattern.test(text)) values[name] = Number(text);
    if (type === 'boolean' && (text === 'true' || text === 'false')) values[name] = text === 'true';
  }
  return values;
}

/** A schema below what makes it optional, fills in a default or transforms it. */
function coreOf(schema: z.ZodType): z.ZodType {
  const { innerType, in: inner } = schema.def as { innerType?: z.ZodType; in?: z.ZodType };
  const below = innerType ?? inner;
  return below ? coreOf(below) : schema;
}

/** A parsed value in the graph's spelling, as its schema says: names in camelCase, values of enums in capitals. */
function graphValue(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const { type, shape, element, left, right } = coreOf(schema).def as unknown as {
    type: string;
    shape: Record<string, z.ZodType>;
    element: z.ZodType;
    left: z.ZodType;
    right: z.ZodType;
  };
  switch (type) {
    case 'enum':
      return String(value).toUpperCase().replaceAll('-', '_');
    case 'array':
      return (value as unknown[]).map((item) => graphValue(element, item));
    case 'intersection':
      return { ...(graphValue(left, value) as object), ...(graphValue(right, value) as object) };
    case 'object':
      return Object.fromEntries(
        Object.entries(shape).flatMap(([name, field]) =>
          Object.hasOwn(value, name)
            ? [[camelCase(name), graphValue(field, (value as Record<string, unknown>)[name])]]
            : [],
        ),
      );
    default:
      return value;
  }
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
