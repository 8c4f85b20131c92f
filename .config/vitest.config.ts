import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { RunReport } from './run-report.ts';
import { SlowestFiles } from './slowest-files.ts';

// What Node compiled is kept for the next run, of the test processes and of the programs that they start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/patchbay', import.meta.url));

// For `.ci/run`.
const reportFile = process.env.RUN_REPORT;
const runReport = reportFile ? [new RunReport(reportFile)] : [];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // These have commands of their own: `npm run test:slow`; `npm run test:services` and `npm run test:cluster`, which need more than npm
    // brings.
    exclude: ['test/**/*.slow.test.ts', 'test/services/**', 'test/cluster/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Node runs the tests as it runs the product. Vite's module runner would load a second copy of graphql, which then
    // refuses the schema of the first; the loader is only there for vi.mock, and nothing is mocked here.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Three processes for two cores, because some tests wait. Each loads the product once and runs file after file:
    // no module of the product keeps state, and a file closes what it opens (test/support/cleanup.ts).
    pool: 'forks',
    maxWorkers: 3,
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    fileParallelism: true,
    sequence: { shuffle: false },
    // They only end what hangs: a busy machine takes many times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', new SlowestFiles(), ...runReport],
  },
});
