/**
 * The end of `.ci/run`: each failure by name with the beginning of its message, then `N passed, N failed` as the last line.
 *
 *     node .ci/summary.mjs FOLDER name=code...
 *
 * FOLDER has the output of each part: `name.json` of a suite (.config/run-report.ts), or `name.txt` of a part without tests. `code` is its
 * exit code. A part that ended badly without saying why counts as one failure. The exit code is 1 when something failed, or nothing passed.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const failuresMax = 20;
const linesMax = 10;
const charactersMax = 300;

const [folder, ...parts] = process.argv.slice(2);
let passed = 0;
const failures = [];

for (const part of parts) {
  const [name, code] = part.split('=');
  const found = outcomeOf(name);
  if (!found) failures.push({ name, message: `ended with exit code ${code}, without a report` });
  else if (code !== '0' && found.failures.length === 0) {
    failures.push({ name, message: `ended with exit code ${code}\n${found.ending ?? ''}`.trimEnd() });
  } else failures.push(...found.failures);
  passed += found?.passed ?? 0;
}

for (const { name, message } of failures.slice(0, failuresMax)) {
  console.log(`FAILED  ${name}`);
  const lines = message === '' ? [] : message.split('\n').slice(0, linesMax);
  for (const line of lines) console.log(`        ${line.slice(0, charactersMax)}`);
}
if (failures.length > failuresMax) console.log(`FAILED  ${failures.length - failuresMax} more, named above`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

/** What one part says of itself; nothing where it left no output. */
function outcomeOf(name) {
  const report = path.join(folder, `${name}.json`);
  if (existsSync(report)) return JSON.parse(readFileSync(report, 'utf8'));
  const output = path.join(folder, `${name}.txt`);
  if (!existsSync(output)) return undefined;
  const text = readFileSync(output, 'utf8').trimEnd();
  const counts = /(?:^|\n)(\d+) passed, \d+ failed$/.exec(text);
  const ending = text
    .split('\n')
    .slice(1 - linesMax)
    .join('\n');
  return { passed: Number(counts?.[1] ?? 0), failures: failedChecks(name, text), ending };
}

/** The steps that `npm run check` marks `FAIL`, each with its indented output. */
function failedChecks(part, text) {
  return [...text.matchAll(/^FAIL {2}(\S+).*((?:\n(?: {6}.*)?$)*)/gm)].map(([, step, output]) => ({
    name: `${part} > ${step}`,
    message: output.trim().replace(/^ {6}/gm, ''),
  }));
}
