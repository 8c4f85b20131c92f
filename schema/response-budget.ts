import { type ExecutionResult, GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { ApiError, isApiError } from '../src/platform/errors.ts';
import { jsonBytesMaxOfText, jsonBytesOfText } from '../src/platform/json/json-size.ts';
import type { Context } from './context.ts';

/** What one response may hold. */
interface Limits {
  /** Of its JSON. */
  readonly bytes: number;
  readonly fields: number;
}

/** 16 MB of content, and 1 MB for the names and figures around it. Why 16: docs/decisions/0028-what-a-request-may-cost.md. */
const limits: Limits = { bytes: 17 * 1024 * 1024, fields: 200_000 };
/** For routes that list all servers of a profile with their capabilities: enough for everything that can be stored. */
const inventoryLimits: Limits = { bytes: 256 * 1024 * 1024, fields: 1_100_000 };
/** Of stored content that is read for one response. It stays in memory until the response is sent. */
const readBytesMax = 16 * 1024 * 1024;
/** What reads under way may bring together, unless one is alone: a statement that waits here does not use up its own time. */
const readingBytesMax = 8 * 1024 * 1024;

/** The budget that one execution of an operation has used. Each event of a subscription is a separate execution. */
export interface Budget {
  readonly limits: Limits;
  /** Without `texts`. */
  bytes: number;
  /** Texts of the response that were not looked at yet. Most responses are far below the limit, however their texts are escaped. */
  texts: string[];
  /** What `texts` come to at most. */
  textBytesMax: number;
  fields: number;
  /** Bytes of content that was read. */
  read: number;
  /** Bytes that reads under way may still bring. */
  reading: number;
  readonly waiting: (() => void)[];
  /** Set when the response is too large: nothing more is resolved or read then. */
  error: ResponseTooLarge | null;
}

/** The one error of a response that is too large. It is made once for an execution and thrown by every field after that. */
class ResponseTooLarge extends GraphQLError {
  constructor(apiError: ApiError, { fieldNodes, path }: GraphQLResolveInfo) {
    // With a path it is located already, so that graphql makes no copy of it for each field.
    super(apiError.message, { nodes: fieldNodes, path: responsePathAsArray(path), originalError: apiError });
  }
}

/**
 * Where the coerced variables keep the budget. In a WeakMap the texts of each response would outlive it by a collection, which costs more than
 * counting them.
 */
const budgetKey = Symbol('budget');

/**
 * Keyed by the coerced variables, which graphql creates for each execution; a context lasts as long as its
 * subscription.
 */
export function budgetOf({ variableValues }: Pick<GraphQLResolveInfo, 'variableValues'>, context?: Context): Budget {
  const run: { [budgetKey]?: Budget } = variableValues;
  const known = run[budgetKey];
  if (known) return known;
  const begun: Budget = {
    limits: context?.capabilities?.has('list-whole-inventory') ? inventoryLimits : limits,
    bytes: 0,
    texts: [],
    textBytesMax: 0,
    fields: 0,
    read: 0,
    reading: 0,
    waiting: [],
    error: null,
  };
  run[budgetKey] = begun;
  return begun;
}

/**
 * Counts a part of a response.
 *
 * @throws {ResponseTooLarge} `TOO_LARGE` when the response is larger than the limits, and from then on always.
 */
export function count(budget: Budget, fields: number, bytes: number, info: GraphQLResolveInfo): void {
  budget.fields += fields;
  budget.bytes += bytes;
  if (budget.fields > budget.limits.fields) refuse(budget, tooManyFields, info);
  check(budget, info);
}

/**
 * Counts a text of a response.
 *
 * @throws {ResponseTooLarge} like `count`.
 */
export function countText(budget: Budget, text: string, info: GraphQLResolveInfo): void {
  budget.texts.push(text);
  budget.textBytesMax += jsonBytesMaxOfText(text);
  check(budget, info);
}

function check(budget: Budget, info: GraphQLResolveInfo): void {
  if (budget.bytes + budget.textBytesMax <= budget.limits.bytes) return;
  for (const text of budget.texts) budget.bytes += jsonBytesOfText(text);
  budget.texts = [];
  budget.textBytesMax = 0;
  if (budget.bytes > budget.limits.bytes) refuse(budget, tooLarge, info);
}

const tooLarge = new ApiError('TOO_LARGE', 'The response exceeds 16 MB: request less data');
const tooManyFields = new ApiError('TOO_LARGE', 'The response exceeds 200 000 fields: request less data');

function refuse(budget: Budget, apiError: ApiError, info: GraphQLResolveInfo): never {
  budget.error ??= new ResponseTooLarge(apiError, info);
  throw budget.error;
}

/** A result that holds one error, where the response was too large: not one for each field that was left out. */
export function withOneError(result: ExecutionResult): ExecutionResult {
  const error = result.errors?.find((each) => each instanceof ResponseTooLarge);
  return error ? { data: null, errors: [error] } : result;
}

/** Data that is read from the database for a response, and the part of it that is kept. */
interface Reading<Result> {
  /** Bytes that it brings at most. Where only the database knows, it is left out: then it may bring all that is left. */
  readonly bytesMax?: number;
  /** Bytes that it has brought. */
  readonly bytesOf: (result: Result) => number;
}

/** Bytes that running reads may bring together, in addition to those already read. */
const readingLeft = ({ read }: Budget): number => Math.min(readingBytesMax, readBytesMax - read);

/**
 * Reads stored content for a response. One response reads at most 16 MB: a read waits until its size fits beside the
 * running reads, and is rejected before it begins if it does not fit beside the finished ones.
 *
 * @param load Receives the bytes that it may bring. It must not wait for another read of the same response.
 * @throws {ResponseTooLarge} `TOO_LARGE`; also if `load` rejects with this code.
 */
export async function readForResponse<Result>(
  info: GraphQLResolveInfo,
  { bytesMax, bytesOf }: Reading<Result>,
  load: (bytesMax: number) => Promise<Result>,
): Promise<Result> {
  const budget = budgetOf(info);
  const wanted = bytesMax ?? readBytesMax;
  while (budget.error === null && budget.reading > 0 && budget.reading + wanted > readingLeft(budget))
    await new Promise<void>((resume) => budget.waiting.push(resume));
  if (budget.error) throw budget.error;
  const granted = Math.min(wanted, readBytesMax - budget.read);
  if (granted < wanted && (bytesMax !== undefined || granted <= 0)) refuse(budget, tooLarge, info);
  budget.reading += granted;
  try {
    const result = await load(granted);
    budget.read += bytesOf(result);
    return result;
  } catch (error) {
    if (isApiError(error) && error.code === 'TOO_LARGE') refuse(budget, error, info);
    throw error;
  } finally {
    budget.reading -= granted;
    for (const resume of budget.waiting.splice(0)) resume();
  }
}
