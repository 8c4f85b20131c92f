import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of `npm run test:slow` that wait longest for programs, the longest first. They begin first: one that began last would run alone
 * while the other processes have nothing left to do. Files that load the disk are not among them: side by side they starve each other.
 * A file that is not named here runs after them, in the order of Vitest; measured by the run's own report.
 */
const longest = [
  // Waits for the next minute.
  'oauth/worker',
  'platform/start',
  'platform/seed',
  'platform/restarts',
  'platform/npm-scripts',
  'platform/migrate-new',
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
