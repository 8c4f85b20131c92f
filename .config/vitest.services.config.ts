import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

// `npm run test:services`: the suites that need programs which npm does not bring. One file at a time: each starts several servers
// and watches how long they take, in a process of its own.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['test/services/**/*.test.ts'],
      fileParallelism: false,
      maxWorkers: 1,
      isolate: true,
    },
  }),
);
