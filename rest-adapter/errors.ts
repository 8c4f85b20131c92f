import type { Refusal } from '../src/platform/errors.ts';

/** How a group of routes lays out its errors. The status is the code's (src/platform/errors.ts) in every group. */
export interface ErrorShape {
  readonly name: 'general' | 'clipboard';
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

/** The shape of a path that no route could be found for, or whose parameters could not be read. */
export const shapeOfPath = (path: string): ErrorShape =>
  path === '/api/clipboard' || path.startsWith('/api/clipboard/') ? clipboardErrors : generalErrors;
