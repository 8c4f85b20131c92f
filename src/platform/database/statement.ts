import type { QueryConfig } from 'pg';

/** A statement; `query_timeout` in milliseconds where it may take longer than an answer should. */
export type Statement = QueryConfig & { query_timeout?: number };
