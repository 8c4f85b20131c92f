import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Every test file may be named, also one that has a command of its own. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/**/*.test.ts'],
    exclude: ['test/cluster/**'],
    reporters: ['json'],
    globalSetup: ['test/mutations/global-setup.ts'],
    // A mutation that makes a test wait for ever is noticed; two minutes would only cost.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
