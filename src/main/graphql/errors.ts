import { GraphQLError } from 'graphql';
import { apiErrorOf } from '../../platform/database/database.ts';
import { ApiError, isApiError, statusOfCode } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';

/**
 * An error as the graph may show it: a refusal with its code and details, GraphQL's own words about a wrong document, and
 * nothing of anything else but "Internal server error"; that goes to the log with the request's id.
 */
export function publicError(error: unknown, log: Logger, requestId: string): GraphQLError {
  if (publicErrors.has(error as GraphQLError)) return error as GraphQLError;
  const shown = shownError(error, log, requestId);
  publicErrors.add(shown);
  return shown;
}

/** Marks an error whose code and message are public. */
export function markPublic(error: GraphQLError): GraphQLError {
  publicErrors.add(error);
  return error;
}

/** A public error for an entry point that answers with no HTTP status and no headers. */
export function withoutHttp(error: GraphQLError): GraphQLError {
  const { http: _, ...extensions } = error.extensions;
  return markPublic(new GraphQLError(error.message, { ...placeOf(error), extensions }));
}

/** Errors that were made public already: Yoga passes its own results through here once more. */
const publicErrors = new WeakSet<GraphQLError>();
/** Not their `originalError`: by that Yoga would take them for faults, and answer 500. */
const apiErrors = new WeakMap<GraphQLError, ApiError>();

/** The refusal behind a public error, which the REST layer lays out in the shape of its route; else the error itself. */
export const apiErrorBehind = (error: GraphQLError): Error => apiErrors.get(error) ?? error;

function shownError(error: unknown, log: Logger, requestId: string): GraphQLError {
  const cause = apiErrorOf((isGraphqlError(error) && error.originalError) || error);
  if (isApiError(cause)) return graphqlErrorOf(cause, error);
  if (isAboutTheDocument(cause)) {
    const extensions = { ...(isGraphqlError(error) && error.extensions), code: 'VALIDATION_ERROR' };
    return new GraphQLError(wordsAbout(error, cause as Error), { ...placeOf(error), extensions });
  }
  log.error({ requestId, error: cause }, 'an operation failed');
  const masked = new ApiError('SERVER_ERROR', 'Internal server error');
  const shown = new GraphQLError(masked.message, {
    ...placeOf(error),
    extensions: { code: masked.code, requestId, http: { status: statusOfCode[masked.code] } },
  });
  apiErrors.set(shown, masked);
  return shown;
}

function graphqlErrorOf(apiError: ApiError, error: unknown): GraphQLError {
  const { code, message, details, retryAfter } = apiError;
  const facts = { ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) };
  // Only an error of the whole request changes the status from 200: an error of one field leaves the other fields their
  // values.
  const isWhole = !(isGraphqlError(error) && error.path);
  const http = isWhole
    ? {
        http: {
          status: statusOfCode[code],
          ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
        },
      }
    : {};
  const shown = new GraphQLError(message, { ...placeOf(error), extensions: { code, ...facts, ...http } });
  apiErrors.set(shown, apiError);
  return shown;
}

// By shape, not by class: two copies of the package may be loaded side by side.
const isGraphqlError = (error: unknown): error is GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError';

/** GraphQL's and Pothos's own words about a document, its variables or a global id; our services throw neither. */
const isAboutTheDocument = (error: unknown) =>
  isGraphqlError(error) || (error instanceof Error && error.name === 'PothosValidationError');

/** A message is cut there: names of a client's text may be as long as its body. In characters. */
const messageCharactersMax = 1_000;
/** How much of the beginning or the end of a message a pattern sees, so that its cost is bounded. In characters. */
const patternCharacters = 400;

/**
 * The message of graphql about a document or a variable, without the value. graphql repeats an invalid value, which may
 * be a password in the wrong place, or 12 MB: the client gets the place of the value and the expected type.
 */
function wordsAbout(error: unknown, cause: Error): string {
  const words = withoutValue(cause.message);
  const whole =
    isGraphqlError(error) && error.message.endsWith(`; ${cause.message}`)
      ? placeInVariable(error, cause) + words
      : words;
  return whole.length <= messageCharactersMax ? whole : `${whole.slice(0, messageCharactersMax)}…`.toWellFormed();
}

/** Text between these words and the value, by the scalars and enums of graphql and of graphql-scalars. */
const representations = /^cannot represent (?:(?:an? )?(?:non[\w -]{1,60} )?value(?=[: ])|an invalid [\w-]{1,60}(?= ))/;

function withoutValue(message: string): string {
  const head = message.slice(0, patternCharacters);
  const tail = message.slice(-patternCharacters);
  const [enumeration] = /does not exist in "\w+" enum\.(?: Did you mean [\w", ]+\?)?$/.exec(tail) ?? [];
  if (head.startsWith('Value "') && enumeration !== undefined) return `Value ${enumeration}`;
  const at = head.indexOf('cannot represent ');
  const [representation] = (at !== -1 && representations.exec(head.slice(at))) || [];
  if (representation !== undefined) {
    const [suggestion = ''] = /\. Did you mean [\w", ]+\?$/.exec(tail) ?? [];
    return head.slice(0, at) + representation + suggestion;
  }
  if (head.startsWith('Expected value of type "') && head.includes('", found '))
    return `${head.slice(0, head.indexOf('", found ') + 1)}.`;
  const text = head.indexOf('String "');
  return text === -1 ? message : `${head.slice(0, text)}String.`;
}

/** Which variable was wrong, and which part of it. In front of the cause stands all that the variable held. */
function placeInVariable(error: GraphQLError, cause: Error): string {
  const end = error.message.length - cause.message.length;
  const head = error.message.slice(0, Math.min(end, patternCharacters));
  const tail = error.message.slice(Math.max(0, end - 10 * patternCharacters), end);
  const [variable = ''] = /^Variable "\$\w+" got invalid value/.exec(head) ?? [];
  const [place = '; '] = / at "[\w.[\]]+"; $/.exec(tail) ?? [];
  return variable + place;
}

const placeOf = (error: unknown) =>
  isGraphqlError(error)
    ? { nodes: error.nodes, source: error.source, positions: error.positions, path: error.path }
    : {};
