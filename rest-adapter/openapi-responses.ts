import { ApiError, type ApiErrorCode, statusOfCode } from '../src/platform/errors.ts';
import {
  agentErrors,
  clipboardErrors,
  type ErrorShape,
  generalErrors,
  oauthErrors,
  proxyErrors,
  registryErrors,
  statusOf,
} from './errors.ts';
import type { Json } from './openapi-schemas.ts';
import type { Route } from './route.ts';

const text = { type: 'string' };
const codes = { type: 'string', enum: Object.keys(statusOfCode), description: 'A stable name of the error.' };
const message = { type: 'string', description: 'The error in a sentence, for people.' };
const details = {
  type: 'object',
  description: 'For a validation error: the messages by wrong field.',
  additionalProperties: true,
};

const object = (properties: Json, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** The named schemas of the errors of every group of routes. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  Error: object({ error: object({ code: codes, message, details }, ['details']) }),
  ClipboardError: object(
    {
      success: { type: 'boolean', const: false },
      error: message,
      details,
      retryAfter: { type: 'integer', description: 'Seconds to wait, when the status is 429 or 503.' },
    },
    ['details', 'retryAfter'],
  ),
  OauthError: object(
    {
      error: { type: 'string', description: 'The code of the error, such as `invalid_request`.' },
      message,
      details,
      retryAfter: { type: 'integer', description: 'Seconds to wait, when the status is 429 or 503.' },
    },
    ['details', 'retryAfter'],
  ),
  AgentError: object({
    error: { type: 'string', description: 'The error in a sentence; a validation error names every wrong field.' },
  }),
  ProxyError: object({
    error: { type: 'string', description: 'The error in a sentence; a validation error names every wrong field.' },
    code: codes,
  }),
  RegistryError: object(
    {
      title: { type: 'string', description: 'The name of the HTTP status.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: message,
      errors: { type: 'array', description: 'The wrong fields.', items: object({ location: text, message: text }) },
    },
    ['errors'],
  ),
};

/** The first word of the names of a group's responses, and the name of its schema. */
const groups = {
  general: { prefix: '', schema: 'Error', shape: generalErrors },
  clipboard: { prefix: 'Clipboard', schema: 'ClipboardError', shape: clipboardErrors },
  registry: { prefix: 'Registry', schema: 'RegistryError', shape: registryErrors },
  oauth: { prefix: 'Oauth', schema: 'OauthError', shape: oauthErrors },
  agents: { prefix: 'Agent', schema: 'AgentError', shape: agentErrors('Internal server error') },
  proxy: { prefix: 'Proxy', schema: 'ProxyError', shape: proxyErrors },
} as const satisfies Record<ErrorShape['name'], { prefix: string; schema: string; shape: ErrorShape }>;

/** The errors that a client may meet: what each means, and one of them as an example. */
const documentedErrors = {
  VALIDATION_ERROR: [
    'BadRequest',
    'The request is not valid. The response names every wrong field.',
    new ApiError('VALIDATION_ERROR', 'Validation error', { details: { name: 'name is required' } }),
  ],
  UNAUTHORIZED: [
    'Unauthorized',
    'The credentials are missing or not valid.',
    new ApiError('UNAUTHORIZED', 'Unauthorized'),
  ],
  FORBIDDEN: [
    'Forbidden',
    'The credentials do not allow this operation.',
    new ApiError('FORBIDDEN', 'This needs an API key with the scope "write"'),
  ],
  NOT_FOUND: [
    'NotFound',
    'The resource does not exist, or you may not see it.',
    new ApiError('NOT_FOUND', 'Entry not found'),
  ],
  CONFLICT: [
    'Conflict',
    'The name is taken, a maximum is reached, the state of the resource does not allow this operation, or a request with the same Idempotency-Key is running.',
    new ApiError('CONFLICT', 'A request with this Idempotency-Key is still running', { retryAfter: 1 }),
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'UnprocessableContent',
    'This Idempotency-Key was used for a different request.',
    new ApiError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request'),
  ],
  TOO_LARGE: [
    'ContentTooLarge',
    'The body, a value in it or the response is too large.',
    new ApiError('TOO_LARGE', 'The body is too large'),
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'UnsupportedMediaType',
    'The body is not JSON.',
    new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8'),
  ],
  RATE_LIMITED: [
    'TooManyRequests',
    'The rate limit is used up. `Retry-After` says when to try again.',
    new ApiError('RATE_LIMITED', 'Rate limit exceeded', { retryAfter: 12 }),
  ],
  SERVER_ERROR: [
    'InternalServerError',
    'An internal error. Name the `X-Request-Id` when you report it.',
    new ApiError('SERVER_ERROR', 'Internal server error'),
  ],
  UNAVAILABLE: [
    'ServiceUnavailable',
    'The service is not available at the moment. `Retry-After` says when to try again.',
    new ApiError('UNAVAILABLE', 'The database is not available; try again', { retryAfter: 1 }),
  ],
} as const satisfies Partial<Record<ApiErrorCode, readonly [name: string, description: string, example: ApiError]>>;
type DocumentedCode = keyof typeof documentedErrors;

/** The headers of responses, by their names in the document. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  'X-Request-Id': { description: 'The id of the request.', schema: text },
  'X-RateLimit-Limit': {
    description: 'Number of requests that the rate limit allows in its window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Number of requests that are left in the window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'End of the window as Unix time in seconds.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The authentication scheme: `Bearer`.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` when this is the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

export const headersOf = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

const headersOfError = (code: DocumentedCode) =>
  headersOf(
    'X-Request-Id',
    ...(code === 'SERVER_ERROR' || code === 'UNAVAILABLE' ? [] : limitHeaders),
    ...(code === 'RATE_LIMITED' || code === 'UNAVAILABLE' ? ['Retry-After'] : []),
    ...(code === 'UNAUTHORIZED' ? ['WWW-Authenticate'] : []),
  );

/** The error codes of a route: its own, and those that every call can meet, a public one by bad credentials too. */
const codesOf = ({ method, errorCodes, isIdempotent }: Route): DocumentedCode[] => [
  ...errorCodes,
  ...(isIdempotent ? (['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  ...(method === 'GET' ? [] : (['TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
  'RATE_LIMITED',
  'SERVER_ERROR',
  'UNAVAILABLE',
];

/** The responses to the errors of an operation, by status. Each is a named response of the document, which is entered in `named`. */
export function errorResponses(alternatives: readonly [Route, ...Route[]], named: Record<string, Json>): Json {
  const { prefix, schema, shape } = groups[alternatives[0].errors.name];
  const responses: Json = {};
  for (const code of new Set(alternatives.flatMap(codesOf))) {
    const status = statusOf(shape, documentedErrors[code][2]);
    // Two codes of one status have one response.
    if (responses[status]) continue;
    const [word, description, example] = documentedErrors[code];
    const name = `${prefix}${word}`;
    named[name] = {
      description,
      headers: headersOfError(code),
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: shape.body(example) },
      },
    };
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}
