import { type ApiError, statusOfCode } from '../src/platform/errors.ts';

/** How a group of routes lays out its errors. */
export interface ErrorShape {
  readonly name: 'general' | 'clipboard' | 'registry' | 'proxy' | 'oauth' | 'agents';
  body(apiError: ApiError): unknown;
  /** The HTTP status, where it is not that of the code. */
  status?(apiError: ApiError): number;
}

export const statusOf = (shape: ErrorShape, apiError: ApiError): number =>
  shape.status?.(apiError) ?? statusOfCode[apiError.code];

/** Source: docs/specification/errors.md#general-errors. */
export const generalErrors: ErrorShape = {
  name: 'general',
  body: ({ code, message, details }) => ({ error: { code, message, ...(details && { details }) } }),
};

/** Source: docs/specification/errors.md#clipboard-errors. */
export const clipboardErrors: ErrorShape = {
  name: 'clipboard',
  body: ({ message, details, retryAfter }) => ({
    success: false,
    error: message,
    ...(details && { details }),
    ...(retryAfter !== undefined && { retryAfter }),
  }),
};

const titles: Partial<Record<ApiError['code'], string>> = {
  VALIDATION_ERROR: 'Bad Request',
  UNAUTHORIZED: 'Unauthorized',
  FORBIDDEN: 'Forbidden',
  NOT_FOUND: 'Not Found',
  METHOD_NOT_ALLOWED: 'Method Not Allowed',
  TOO_LARGE: 'Content Too Large',
  RATE_LIMITED: 'Too Many Requests',
  UNAVAILABLE: 'Service Unavailable',
};

/** As the official registry answers, so that its clients understand. Source: RFC 9457, and its `ErrorModel`. */
export const registryErrors: ErrorShape = {
  name: 'registry',
  body: ({ code, message, details }) => ({
    title: titles[code] ?? 'Internal Server Error',
    status: statusOfCode[code],
    detail: message,
    ...(details && {
      errors: Object.entries(details).map(([location, fault]) => ({ location, message: String(fault) })),
    }),
  }),
};

const oauthCodes: Partial<Record<ApiError['code'], string>> = {
  VALIDATION_ERROR: 'invalid_request',
  // The only conflict of these paths.
  CONFLICT: 'token_reuse_detected',
  RATE_LIMITED: 'rate_limit_exceeded',
};

/** Source: docs/specification/errors.md#oauth-errors. */
export const oauthErrors: ErrorShape = {
  name: 'oauth',
  body: ({ code, message, details, retryAfter }) => ({
    error: oauthCodes[code] ?? code.toLowerCase(),
    message,
    ...(details && { details }),
    ...(retryAfter !== undefined && { retryAfter }),
  }),
};

/**
 * As existing proxies read errors, on the paths that only they use. There is no place for details: the text names every wrong field.
 * Source: docs/specification/errors.md#proxy-errors.
 */
export const proxyErrors: ErrorShape = {
  name: 'proxy',
  body: ({ code, message, details }) => ({
    error: code === 'VALIDATION_ERROR' && details ? Object.values(details).join('; ') : message,
    code,
  }),
};

/**
 * Errors of agents: one text. A failure of the platform has the text of its route, whatever failed, and the status 500.
 *
 * @param failure Such as `Failed to create agent`.
 * @see docs/specification/errors.md#agent-errors
 */
export const agentErrors = (failure: string): ErrorShape => ({
  name: 'agents',
  body: ({ code, message, details }) => {
    if (isFailure(code)) return { error: failure };
    return { error: code === 'VALIDATION_ERROR' && details ? Object.values(details).join('; ') : message };
  },
  status: ({ code }) => (isFailure(code) ? 500 : statusOfCode[code]),
});

const isFailure = (code: ApiError['code']) => code === 'SERVER_ERROR' || code === 'UNAVAILABLE';

const proxyPaths =
  /^\/api\/(?:(?:tools|resources|resource-templates|prompts|notifications\/(?:custom|mcp-activity))$|resolve\/|discover\/)/;

/** The shape of a path that no route could be found for, or whose parameters could not be read. */
export const shapeOfPath = (path: string): ErrorShape =>
  path === '/api/clipboard' || path.startsWith('/api/clipboard/')
    ? clipboardErrors
    : path.startsWith('/v0.1/')
      ? registryErrors
      : path.startsWith('/api/oauth/')
        ? oauthErrors
        : path === '/api/agents' || path.startsWith('/api/agents/')
          ? agentErrors('Internal server error')
          : proxyPaths.test(path)
            ? proxyErrors
            : generalErrors;
