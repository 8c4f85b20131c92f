import { ApiError } from '../errors.ts';

/**
 * The classes and codes of PostgreSQL that mean "not now": lost connections, shutting down, too many, out of time or room, and
 * two transactions that waited for each other, of which one was ended.
 */
const unavailableStates = /^(08...|53...|57P0[1-5]|57014|55P03|40P01|25006|58...)$/;
const unavailableCauses =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Can't reach database server|Server has closed the connection|Connection ended|Query read timeout|not currently accepting connections/i;
const unavailablePrismaCodes = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
]);

/** A refusal in place of an error that only says that the database is away; every other error as it is. */
export function apiErrorOf(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new ApiError('UNAVAILABLE', 'The database is not available; try again', { retryAfter: 1, cause: error });
}

/**
 * Whether one of two deadlocked transactions was ended: it can be repeated if it has no effect outside of the database.
 */
export const isDeadlock = (error: unknown): boolean => isOneOf(error, '40P01');

/** Whether a write would have broken a unique constraint, as pg or Prisma says it. */
export const isUniqueViolation = (error: unknown): boolean => isOneOf(error, '23505', 'P2002');

function isOneOf(error: unknown, ...codes: readonly unknown[]): boolean {
  for (let cause = error, depth = 0; cause instanceof Object && depth < 5; depth++) {
    const { code, cause: next } = cause as { code?: unknown; cause?: unknown };
    if (codes.includes(code)) return true;
    cause = next;
  }
  return false;
}

/** Whether an error of pg or Prisma says that the server is away, starting, stopping, full, or too slow. */
export function isUnavailable(error: unknown): boolean {
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Object && depth < 5; depth++) {
    const { code, originalCode, message, cause: next, errors, meta } = cause as Record<string, unknown>;
    const state = typeof originalCode === 'string' ? originalCode : code;
    if (typeof state === 'string') {
      if (unavailableStates.test(state) || unavailablePrismaCodes.has(state) || unavailableCauses.test(state))
        return true;
    }
    if (typeof message === 'string' && unavailableCauses.test(message)) return true;
    // Prisma passes on errors for which it has no code, such as a read-only server.
    const { driverAdapterError } = (meta ?? {}) as { driverAdapterError?: unknown };
    cause = next ?? driverAdapterError ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return false;
}
