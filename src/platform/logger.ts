import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * One JSON line per fact. Nothing that was asked is logged: no headers, no bodies, no query strings, so no secret can be.
 *
 * @param level A level of pino, or `silent`.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: errorFacts, err: errorFacts },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The parts of an error that may be logged: its name, code, place and text, without the values that PostgreSQL repeats in `detail`. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: errorFacts(error.cause) } : {}),
  };
}
