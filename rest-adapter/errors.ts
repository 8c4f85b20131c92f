import { type Refusal, statusOfCode } from '../src/platform/errors.ts';

/** How a group of routes lays out its errors. The status is the code's (src/platform/errors.ts) in every group. */
export interface ErrorShape {
  readonly name: 'general' | 'clipboard' | 'registry' | 'proxy' | 'oauth';
  body(refusal: Refusal): unknown;
}

/** Source: spec.md, General API errors. */
export const generalErrors: ErrorShape = {
  name: 'general',
  body: ({ code, message, details }) => ({ error: { code, message, ...(details && { details }) } }),
};

/** Source: spec.md, Clipboard errors. */
export const clipboardErrors: ErrorShape = {
  name: 'clipboard',
  body: ({ message, details, retryAfter }) => ({
    success: false,
    error: message,
    ...(details && { details }),
    ...(retryAfter !== undefined && { retryAfter }),
  }),
};

const titles: Partial<Record<Refusal['code'], string>> = {
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

const oauthCodes: Partial<Record<Refusal['code'], string>> = {
  VALIDATION_ERROR: 'invalid_request',
  // The only conflict of these paths.
  CONFLICT: 'token_reuse_detected',
  RATE_LIMITED: 'rate_limit_exceeded',
};

/** Source: spec.md, OAuth errors. */
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
 * Source: gaps.md, Notifications and webhooks.
 */
export const proxyErrors: ErrorShape = {
  name: 'proxy',
  body: ({ code, message, details }) => ({
    error: code === 'VALIDATION_ERROR' && details ? Object.values(details).join('; ') : message,
    code,
  }),
};

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
        : proxyPaths.test(path)
          ? proxyErrors
          : generalErrors;
