import { mergeConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';
import base from './vitest.config.ts';

const { globalSetup, reporters, ...shared } = base.test ?? {};

/** They measure their own process, its memory or how soon it comes to something, so each has one that is new. */
const measuring = [
  'test/clipboard/clipboard.concurrency.slow.test.ts',
  'test/documents/extraction.slow.test.ts',
  'test/main/http/http.rest.bodies.slow.test.ts',
  'test/main/sockets/socket-endings.graphql.slow.test.ts',
  'test/webhooks/backpressure.slow.test.ts',
];

const project = (test: ViteUserConfig['test']) =>
  mergeConfig(
    { root: base.root, test: { ...shared, include: [], exclude: [] } },
    { test: { ...test, testTimeout: 300_000, hookTimeout: 300_000 } },
  );

// `npm run test:slow`: the suites that start, stop and kill processes, fill tables, read plans of statements, or send a campaign
// of inputs. Those that measure themselves have a process each; the others load the product once, as in `npm test`.
export default {
  root: base.root,
  test: {
    // For both projects: one database for the whole run.
    globalSetup,
    reporters,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      project({ name: 'alone', include: measuring, isolate: true }),
      project({ name: 'together', include: ['test/**/*.slow.test.ts'], exclude: measuring, isolate: false }),
    ],
  },
} satisfies ViteUserConfig;
