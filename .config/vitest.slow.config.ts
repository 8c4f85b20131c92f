import { defineConfig, mergeConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';
import base from './vitest.config.ts';

// `npm run test:slow`: the suites that start, stop and kill processes, fill tables, read plans of statements, or send a campaign
// of inputs. A process per file: what one of them leaves behind must not slow the next.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['test/**/*.slow.test.ts'],
      isolate: true,
      maxWorkers: 3,
      sequence: { sequencer: LongestFirst },
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }),
);
