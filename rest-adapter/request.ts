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
    query: query ? (conversionOf(query)(request.query) as RouteRequest['query']) : {},
    body: input ? conversionOf(input)(request.body) : {},
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

type Convert = (value: unknown) => unknown;

/** By schema: what a schema says of its values is looked up once. */
const conversions = new WeakMap<z.ZodType, Convert>();

/** Converts a parsed value to the graph's spelling, as its schema says: names in camelCase, values of enums in capitals. */
function conversionOf(schema: z.ZodType): Convert {
  const known = conversions.get(schema);
  if (known) return known;
  const convert = makeConversion(schema);
  const made: Convert = (value) => (value === null || value === undefined ? value : convert(value));
  conversions.set(schema, made);
  return made;
}

function makeConversion(schema: z.ZodType): Convert {
  const { type, shape, element, left, right } = coreOf(schema).def as unknown as {
    type: string;
    shape: Record<string, z.ZodType>;
    element: z.ZodType;
    left: z.ZodType;
    right: z.ZodType;
  };
  switch (type) {
    case 'enum':
      return (value) => String(value).toUpperCase().replaceAll('-', '_');
    case 'array': {
      const convert = conversionOf(element);
      return (value) => (value as unknown[]).map((item) => convert(item));
    }
    case 'intersection': {
      const parts = [conversionOf(left), conversionOf(right)];
      return (value) => Object.assign({}, ...parts.map((convert) => convert(value)));
    }
    case 'object': {
      const fields = Object.entries(shape).map(
        ([name, field]) => [name, camelCase(name), conversionOf(field)] as const,
      );
      return (value) => {
        const converted: Record<string, unknown> = {};
        for (const [name, graphName, convert] of fields)
          if (Object.hasOwn(value as object, name))
            converted[graphName] = convert((value as Record<string, unknown>)[name]);
        return converted;
      };
    }
    default:
      return (value) => value;
  }
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
