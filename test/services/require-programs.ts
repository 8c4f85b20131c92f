import { missingPrograms } from './programs.ts';

// Before `npm run test:services`: a sentence instead of a screenful of failed tests.
const missing = missingPrograms();
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\n`);
  process.exitCode = 1;
}
