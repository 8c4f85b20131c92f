import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files of `npm run test:slow` and `npm run test:services` that wait longest for programs, the longest first. They begin first: one that
 * began last would run alone while the other processes have nothing left to do. Files that load the disk are not among them: side by side
 * they starve each other. A file that is not named here runs after them, in the order of Vitest; measured by the run's own report.
 */
const longest = [
  // Waits for the next minute.
  'oauth/worker.slow',
  'services/vector-index',
  // Waits a minute for a claim.
  'services/oauth',
  'cli/start.slow',
  'cli/seed.slow',
  'main/process/restarts.slow',
  'cli/npm-scripts.slow',
  'prisma/migrate-new.slow',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? longest.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // One project after the other, as Vitest does by itself: a process that loaded the product goes on with the next file of its project.
    return (await super.sort(files)).toSorted(
      (a, b) => a.project.name.localeCompare(b.project.name) || placeOf(a) - placeOf(b),
    );
  }
}
