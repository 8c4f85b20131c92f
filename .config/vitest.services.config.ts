import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

// `npm run test:services`: the suites that need programs which npm does not bring. Two files at a time, because they mostly wait;
// each has a process and servers of its own.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['test/services/**/*.test.ts'],
      maxWorkers: 2,
      isolate: true,
    },
  }),
);
