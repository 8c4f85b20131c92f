import { defineConfig, mergeConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';
import base from './vitest.config.ts';

// `npm run test:services`: the suites that need programs which npm does not bring. A process per file, and two at a time: each starts several
// servers and mostly waits for them.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['test/services/**/*.test.ts'],
      maxWorkers: 2,
      isolate: true,
      sequence: { sequencer: LongestFirst },
    },
  }),
);
