import type { TestProject } from 'vitest/node';

/** The server that run.ts has started for all of its runs. */
export const setup = (project: TestProject): void =>
  project.provide('postgresUrl', String(process.env.TEST_POSTGRES_URL));
