import { GraphQLError } from 'graphql';
import { refusalOf } from '../platform/database/database.ts';
import { isRefusal, type Refusal, statusOfCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/**
 * An error as the graph may show it: a refusal with its code and details, GraphQL's own words about a wrong document, and
 * nothing of anything else but "Internal server error"; that goes to the log with the request's id.
 */
export function publicError(error: unknown, log: Logger, requestId: string): GraphQLError {
  if (isPublic(error)) return error;
  const cause = refusalOf((isGraphqlError(error) && error.originalError) || error);
  if (isRefusal(cause)) return errorOfRefusal(cause, error);
  if (isAboutTheDocument(cause)) {
    const extensions = { ...(isGraphqlError(error) && error.extensions), code: 'VALIDATION_ERROR' };
    return new GraphQLError(wordsAbout(error, cause as Error), { ...placeOf(error), extensions });
  }
  log.error({ requestId, error: cause }, 'an operation failed');
  return new GraphQLError('Internal server error', {
    ...placeOf(error),
    extensions: { code: 'SERVER_ERROR', requestId, http: { status: 500 } },
  });
}

function errorOfRefusal({ code, message, details, retryAfter }: Refusal, error: unknown): GraphQLError {
  const facts = { ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) };
  // Only who may not speak at all gets another status than 200: a refusal of one field leaves the others their answer.
  const isWhole = !(isGraphqlError(error) && error.path);
  const http = isWhole
    ? {
        http: {
          status: statusOfCode[code],
          ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
        },
      }
    : {};
  return new GraphQLError(message, { ...placeOf(error), extensions: { code, ...facts, ...http } });
}

// By shape, not by class: two copies of the package may be loaded side by side.
const isGraphqlError = (error: unknown): error is GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError';

/** Every door makes its errors public, and some of them stand behind each other. */
const isPublic = (error: unknown): error is GraphQLError =>
  isGraphqlError(error) && !error.originalError && String(error.extensions.code) in statusOfCode;

/** GraphQL's and Pothos's own words about a document, its variables or a global id; our services throw neither. */
const isAboutTheDocument = (error: unknown) =>
  isGraphqlError(error) || (error instanceof Error && error.name === 'PothosValidationError');

/**
 * graphql repeats what it cannot take. That may be a password in the wrong place, or 12 MB: a client is told where it stood
 * and what was expected, and whoever collects errors learns nothing. Names, as of fields, are no values.
 */
function wordsAbout(error: unknown, cause: Error): string {
  const words = cause.message
    .replace(/(cannot represent (?:a |an )?(?:non[\w -]+ )?value):? .*?(\. Did you mean [\w", ]+\?)?$/s, '$1$2')
    .replace(/(cannot represent an invalid [\w-]+) .*$/s, '$1')
    .replace(/^(Expected value of type "[^"]*"), found .*$/s, '$1.')
    .replace(/\b((?:Block)?String) ".*$/s, '$1.');
  if (!isGraphqlError(error) || !error.message.endsWith(`; ${cause.message}`)) return words;
  // In front stand the variable, all that it held, and which part of that was wrong.
  const front = error.message.slice(0, -cause.message.length);
  const [variable = ''] = /^Variable "\$\w+" got invalid value/.exec(front) ?? [];
  const [place = '; '] = / at "[\w.[\]]+"; $/.exec(front) ?? [];
  return variable + place + words;
}

const placeOf = (error: unknown) =>
  isGraphqlError(error)
    ? { nodes: error.nodes, source: error.source, positions: error.positions, path: error.path }
    : {};
