import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createExtractor, type ExtractionLimits } from '../../src/documents/extraction/extraction.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { quickFolder } from '../support/quick-folder.ts';

/** A folder of files, and an extractor that reads them. Both end with the test or the file that asked for them. */
export function extractionStage(limits: Partial<ExtractionLimits> = {}) {
  const folder = mkdtempSync(path.join(quickFolder(), 'extraction-'));
  const extractor = createExtractor({ folder, log: createLogger('silent'), limits });
  cleanUp(async () => {
    await extractor.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let files = 0;

  /** Stores bytes, or a text in UTF-8, under a name of its own. */
  const store = async (content: Uint8Array | string) => {
    files += 1;
    const stored = path.join(folder, String(files));
    await writeFile(stored, content);
    return stored;
  };
  return {
    extractor,
    store,
    read: async (content: Uint8Array | string, fileName: string) => extractor.extract(await store(content), fileName),
    /** The code of the failure; `read` in words where the file was read. */
    failureOf: async (content: Uint8Array | string, fileName: string): Promise<unknown> =>
      extractor.extract(await store(content), fileName).then(
        () => 'read',
        (error: { code?: unknown }) => error.code ?? error,
      ),
  };
}
