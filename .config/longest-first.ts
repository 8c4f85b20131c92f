import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of `npm run test:slow` that take longest, the longest first. They begin first: one that began last would run alone while
 * the other processes have nothing left to do. A file that is not named here runs after them; measured by the run's own report.
 */
const longest = [
  // Waits for the next minute.
  'oauth/worker',
  'platform/start',
  'platform/seed',
  'platform/restarts',
  'platform/npm-scripts',
  'platform/migrate-new',
  'platform/sigterm',
  'strict/processes',
  'platform/stop-signals',
  'faults/large-events',
  'webhooks/workers',
  'faults/faults',
  'platform/sample-data',
  'platform/durability',
  'platform/socket-endings.graphql',
  'mcp-servers/answer-size.graphql',
  'platform/readme',
  'webhooks/backpressure',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.slow.test.ts`));
  return place === -1 ? longest.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
