/** The current instant in whole milliseconds, as SQL. @param parameter The pinned instant; null for the database's own clock. */
export const nowOf = (parameter: string): string =>
  `date_trunc('milliseconds', coalesce(${parameter}::timestamptz, clock_timestamp()))`;
