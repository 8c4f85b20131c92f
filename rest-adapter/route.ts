import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { RouteCapability } from '../src/platform/caller.ts';
import type { FieldCheck } from '../src/platform/input/input.ts';
import type { ErrorShape } from './errors.ts';

/** A request as it came. Query values are strings; a name given twice is refused before. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body; an empty object when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** UUID of the file that came with it; of routes that take one. */
  readonly fileUuid?: string;
  /** The header `Last-Event-ID`. */
  readonly lastEventId?: string | undefined;
}

/** The inputs of areas whose fields have rules beside their schema. The check of each comes from its area. */
export type RequestCheck =
  | 'newAgent'
  | 'signUp'
  | 'newApiKey'
  | 'webhook'
  | 'newServer'
  | 'submission'
  | 'newChatSession';

export type RequestChecks = Readonly<Record<RequestCheck, FieldCheck<Record<string, never>>>>;

/** The names of a path's parameters: `uuid` of `/api/clipboard/entries/:uuid`. */
type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A request with a valid query and body, parsed by the schemas of its route. A part without a schema is empty. */
export interface RouteRequest<Path extends string = string, Query = Readonly<Record<string, unknown>>, Body = unknown> {
  readonly params: Readonly<Record<ParamOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** UUID of the file that came with it; empty for routes that take none. */
  readonly fileUuid: string;
  /** The header `Last-Event-ID`: where a stream of events goes on; empty where there is none. */
  readonly lastEventId: string;
}

/** A file that a response consists of. */
export interface FileDescription {
  readonly documentUuid: string;
  readonly version: number;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

/** A server-sent event. */
export interface StreamedEvent {
  /** The `end` id of the last event: a client that reconnects with it receives no further events. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

type Constant<Value> = Value extends object ? { readonly [Name in keyof Value]: Constant<Value[Name]> } : Value;

/** What the API reference says of an operation. A test validates the example by the schemas of the route. */
export interface Reference<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  ResponseBody extends z.ZodType = z.ZodType,
> {
  /** One line in the imperative, without a full stop. */
  readonly summary: string;
  /** The rules, in sentences. */
  readonly description: string;
  /** Each parameter of the path. */
  readonly params?: Readonly<Record<ParamOf<Path>, { readonly description: string; readonly example: string }>>;
  readonly example: {
    readonly query?: Constant<z.input<Query>>;
    readonly body?: Constant<z.input<Body>>;
    readonly response: Constant<z.output<ResponseBody>>;
  };
}

/** A documented HTTP operation as data: which GraphQL document answers it, and how its response is laid out. */
export interface Route<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Result = unknown,
  Variables = unknown,
  ResponseBody extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Express's spelling: `/api/clipboard/entries/:uuid`. */
  readonly path: Path;
  /** Selects between operations that share a method and a path. The first match answers. */
  readonly when?: (request: RawRequest) => boolean;
  /** What the API reference says. */
  readonly reference: Reference<Path, Query, Body, ResponseBody>;
  /** The group of the operation in the API reference. */
  readonly tag: string;
  /**
   * Access: `public` needs no credential, `session` needs a signed-in user, otherwise a key or a session is required.
   */
  readonly access: 'caller' | 'session' | 'public';
  readonly errors: ErrorShape;
  readonly operation: TypedDocumentNode<Result, Variables>;
  /** The schema of the query string: it validates requests, and the API reference shows it. */
  readonly query?: Query;
  /** The schema of the body, likewise. */
  readonly input?: Body;
  /** The rules for the body that its schema cannot state. */
  readonly check?: RequestCheck;
  /** Whether a client may send it again with the same `Idempotency-Key` without it being done again. */
  readonly isIdempotent?: boolean;
  /** What this route may do beyond all others. None if left out. */
  readonly capabilities?: ReadonlySet<RouteCapability>;
  /** The body is a multipart form with a file, which is stored before the operation runs; `input` is for its other fields. */
  readonly takesFile?: boolean;
  /** The response is a file: `body` describes it (`FileDescription`). */
  readonly givesFile?: boolean;
  /** The operation is a subscription, and the response a stream of events: `body` lays each out (`StreamedEvent`). */
  readonly givesEvents?: boolean;
  /** Of the response; 200 if left out. */
  readonly status?: 200 | 201;
  /** Bytes of the body, as sent. */
  readonly bodyBytesMax?: number;
  /** The variables of the operation, from a valid request in the graph's spelling. */
  readonly variables: (
    request: RouteRequest<Path, GraphValue<z.output<Query>>, GraphValue<z.output<Body>>>,
  ) => Variables;
  /** The body of the response, key by key. May throw an error: null in GraphQL is often 404 here. */
  readonly body: (result: Result, request: RouteRequest<Path, z.output<Query>, z.output<Body>>) => unknown;
  /** The schema of the response, for the API reference; the tests validate every response by it. */
  readonly response: ResponseBody;
  /** The error codes of this route, beside those that every route has. */
  readonly errorCodes: readonly (
    | 'VALIDATION_ERROR'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'CONFLICT'
    | 'TOO_LARGE'
  )[];
}

type Nothing = Record<never, never>;

/** Keeps a route's own types while it is written, and forgets them in the list of all routes. */
export function route<
  Path extends `/${string}`,
  Result,
  Variables,
  Query extends z.ZodObject = z.ZodObject<Nothing>,
  Body extends z.ZodType = z.ZodObject<Nothing>,
  ResponseBody extends z.ZodType = z.ZodType,
>(
  endpoint: `${Route['method']} ${Path}`,
  definition: Omit<Route<Path, Query, Body, Result, Variables, ResponseBody>, 'method' | 'path'>,
): Route {
  const [method, path] = endpoint.split(' ');
  return { ...definition, method, path } as unknown as Route;
}

type CamelCase<Name extends string> = Name extends `${infer Start}_${infer End}`
  ? `${Start}${Capitalize<CamelCase<End>>}`
  : Name;
type EnumName<Value extends string> = Uppercase<
  Value extends `${infer Start}-${infer End}` ? `${Start}_${End}` : Value
>;

/** A valid value in the graph's spelling: `packageType: 'NPM'` of `package_type: 'npm'`. Free text stays as it is. */
export type GraphValue<Value> = Value extends string
  ? string extends Value
    ? Value
    : EnumName<Value>
  : Value extends Date
    ? Value
    : Value extends readonly (infer Item)[]
      ? GraphValue<Item>[]
      : Value extends object
        ? string extends keyof Value
          ? Value
          : { [Name in keyof Value as Name extends string ? CamelCase<Name> : never]: GraphValue<Value[Name]> }
        : Value;
