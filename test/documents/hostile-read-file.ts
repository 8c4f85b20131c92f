/** Takes the place of src/documents/extraction/read-file.ts: a reader that a file has taken over, and that tries what it must not do. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const outcomeOf = (work: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'done',
      (error: { code?: string; message: string }) => error.code ?? error.message,
    );

/** Reads in a thread that is started without the flags of this one. */
const readInThread = (file: string) =>
  new Promise((resolve, reject) => {
    const program = `require('node:fs').readFileSync(${JSON.stringify(file)})`;
    new Worker(program, { eval: true, execArgv: [] }).on('exit', resolve).on('error', reject);
  });

/** @param fileName The path of a file that must stay hidden. */
export async function readWholeFile(file: string, fileName: string) {
  const folder = path.dirname(file);
  const report = {
    'its own file': await outcomeOf(() => readFile(file)),
    'a hidden file': await outcomeOf(() => readFile(fileName)),
    'a hidden file, at once': await outcomeOf(() => readFileSync(fileName)),
    'a hidden file by a way around': await outcomeOf(() => readFile(`${folder}/../${path.basename(fileName)}`)),
    'the list of a hidden folder': await outcomeOf(() => readdirSync(path.dirname(fileName))),
    'the project': await outcomeOf(() => readFile(path.resolve(import.meta.dirname, '../../../encryption-key'))),
    environment: await outcomeOf(() => readFileSync('/proc/self/environ')),
    writing: await outcomeOf(() => writeFileSync(file, '')),
    link: await outcomeOf(() => symlink(fileName, path.join(folder, 'link'))),
    program: await outcomeOf(() => execFileSync('true')),
    thread: await outcomeOf(() => readInThread(fileName)),
  };
  return { text: JSON.stringify(report), mimeType: 'text/plain', pageStarts: [], headings: [], chunks: [] };
}
