import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { cleanUp } from '../support/cleanup.ts';

const project = path.resolve(import.meta.dirname, '../..');

/** A copy of what reads documents, whose reader is hostile, in a project that has an encryption key beside its sources. */
function hostileProject() {
  const root = mkdtempSync(path.join(tmpdir(), 'patchbay-hostile-'));
  cleanUp(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['src/documents', 'src/platform'])
    cpSync(path.join(project, folder), path.join(root, folder), { recursive: true });
  cpSync(
    path.join(import.meta.dirname, 'hostile-read-file.ts'),
    path.join(root, 'src/documents/extraction/read-file.ts'),
  );
  cpSync(path.join(project, 'package.json'), path.join(root, 'package.json'));
  symlinkSync(path.join(project, 'node_modules'), path.join(root, 'node_modules'));
  const data = path.join(root, 'data');
  const folder = path.join(data, 'documents/reading');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'file');
  const hidden = [path.join(root, 'encryption-key'), path.join(data, 'encryption-key'), path.join(data, 'documents/x')];
  for (const each of [file, ...hidden]) writeFileSync(each, 'content');
  return { root, folder, file, hidden };
}

test(
  'a reader that a file has taken over reads no key and no other document, and starts nothing',
  verifies('documents.extraction'),
  async () => {
    const { root, folder, file, hidden } = hostileProject();
    const program = `
    import { createExtractor } from ${JSON.stringify(path.join(root, 'src/documents/extraction/extraction.ts'))};
    import { createLogger } from ${JSON.stringify(path.join(root, 'src/platform/logger.ts'))};
    const extractor = createExtractor({ folder: ${JSON.stringify(folder)}, log: createLogger('silent') });
    const reports = [];
    for (const hidden of ${JSON.stringify(hidden)}) reports.push((await extractor.extract(${JSON.stringify(file)}, hidden)).text);
    await extractor.close();
    console.log('[' + reports.join(',') + ']');`;
    const options = ['--input-type=module', '--no-warnings', '-e', program];
    // In the folder of the data: a thread may read the working folder of its process.
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root });
    const reports = JSON.parse(stdout);
    expect(reports).toHaveLength(hidden.length);
    for (const { 'its own file': own, ...others } of reports) {
      expect(own).toBe('done');
      for (const [attempt, outcome] of Object.entries(others))
        expect([attempt, outcome]).toEqual([attempt, 'ERR_ACCESS_DENIED']);
    }
  },
);
