import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const jsonFile = process.env.VITEST_JSON;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // They need more than npm brings, and have a command of their own: `npm run test:services`.
    exclude: ['test/services/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Node runs the tests as it runs the product. Vite's module runner would load a second copy of graphql, which then
    // refuses the schema of the first; the loader is only there for vi.mock, and nothing is mocked here.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A process per file: the files share the database server of the global setup and nothing else. Two at a time,
    // because vitest would leave one of two cores idle.
    pool: 'forks',
    maxWorkers: 2,
    fileParallelism: true,
    sequence: { shuffle: false },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: jsonFile ? ['default', ['json', { outputFile: jsonFile }]] : ['default'],
  },
});
