import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { ErrorShape } from './errors.ts';

/** What a request brought, as it came: the service judges it. Query values are strings; a name given twice is refused before. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body; an empty object when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A documented HTTP operation as data: which GraphQL document answers it, and how its answer is laid out. */
export interface Route<Result = unknown, Variables = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In Express's spelling: `/api/clipboard/entries/:uuid`. */
  readonly path: string;
  /** Where two operations share a method and a path: whether this one is meant. The first that is meant answers. */
  readonly when?: (request: RouteRequest) => boolean;
  /** For the API reference. */
  readonly summary: string;
  readonly tag: string;
  /** Who may call it: `public` for anybody, `session` for a signed-in user alone, else a key or a session. */
  readonly access: 'caller' | 'session' | 'public';
  readonly errors: ErrorShape;
  readonly operation: TypedDocumentNode<Result, Variables>;
  /** What the query string may hold, for the API reference and for the messages of refused values. */
  readonly query?: z.ZodObject;
  /** What the body may hold; likewise. */
  readonly input?: z.ZodType;
  /** Whether a client may send it again with the same `Idempotency-Key` without it being done again. */
  readonly isIdempotent?: boolean;
  /** Bytes of the body, as sent. */
  readonly bodyBytesMax?: number;
  readonly variables: (request: RouteRequest) => Variables;
  /** The answer, key by key. May throw a `Refusal`: what is null in the graph is often 404 here. */
  readonly body: (result: Result, request: RouteRequest) => unknown;
  /** What the answer looks like, for the API reference; the tests hold every answer against it. */
  readonly answer: z.ZodType;
  /** Codes that this route refuses with, beside those that every route has. */
  readonly refusals: readonly (
    | 'VALIDATION_ERROR'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'CONFLICT'
    | 'TOO_LARGE'
  )[];
}

/** Keeps a route's own types while it is written, and forgets them in the list of all routes. */
export const route = <Result, Variables>(definition: Route<Result, Variables>): Route => definition as unknown as Route;

/** The named fields of a body and no others: what is not named is ignored, never honoured. */
export function pick(body: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const field of fields) if (Object.hasOwn(body, field)) picked[field] = body[field];
  return picked;
}

/** A number of the query string: absent stays absent, and what is no plain integer becomes NaN, which no bound admits. */
export function integerOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
}
