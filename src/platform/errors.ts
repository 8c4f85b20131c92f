/**
 * The one error that carries a public meaning. Thrown anywhere; each API has one table that turns its code into the
 * documented shape. Every other error is masked and logged with the request's id.
 */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** Facts for the client: a map from field to message, or what the code's documentation says. */
  readonly details: ApiErrorDetails | undefined;
  /** Whole seconds after which another try makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    facts: { details?: ApiErrorDetails; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: facts.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = facts.details;
    this.retryAfter = facts.retryAfter;
  }
}

export type ApiErrorDetails = Readonly<Record<string, unknown>>;

/** The closed list of codes and the HTTP status that each one means. Source: docs/specification/errors.md#codes. */
export const statusOfCode = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ApiErrorCode = keyof typeof statusOfCode;

/** True for a refusal, also one that another copy of this module made. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError' && 'code' in error && String(error.code) in statusOfCode;
}

/** The error for a missing or invalid credential: it does not say which. */
export const unauthorized = () => new ApiError('UNAUTHORIZED', 'Unauthorized');
