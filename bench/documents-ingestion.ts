import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EmbeddingProviders } from '../src/documents/embedding/provider.ts';
import { createExtractor } from '../src/documents/extraction/extraction.ts';
import { createDocumentIndex } from '../src/documents/search/index-writer.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Logger } from '../src/platform/logger.ts';
import { addDocument } from '../test/documents/indexed.ts';
import { textOf, vectorOf } from './documents-data.ts';
import { printTable, shown } from './measure.ts';

interface IngestionStage {
  readonly database: Database;
  readonly log: Logger;
  readonly providers: EmbeddingProviders;
  readonly isQuick: boolean;
  newProfile(): Promise<string>;
}

const charactersQuick = 500_000;
const characters = 4_000_000;

/**
 * What the ingestion of a text takes, step by step: reading and cutting it in the process that reads, and writing its index. Seconds of CPU
 * are those of this process, without PostgreSQL and the process that reads.
 */
export async function printIngestion({ database, log, providers, newProfile, isQuick }: IngestionStage): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-documents-'));
  await chmod(folder, 0o755);
  const extractor = createExtractor({ folder, log });
  try {
    const text = textOf(isQuick ? charactersQuick : characters);
    const file = path.join(folder, 'long.md');
    await writeFile(file, text);
    const small = path.join(folder, 'warm.md');
    await writeFile(small, 'warm');
    await extractor.extract(small, 'warm.md');
    const read = await timed(() => extractor.extract(file, 'long.md'));
    const chunks = read.result.chunks;
    const index = createDocumentIndex({
      provider: { ...providers.current, embed: async (texts) => texts.map(() => vectorOf()) },
    });
    const profileUuid = await newProfile();
    // Documents of the size of a report: one of 50 000 passages would take longer than its transaction may.
    const perDocument = 1_000;
    const written = await timed(async () => {
      for (let first = 0; first < chunks.length; first += perDocument) {
        const part = chunks.slice(first, first + perDocument);
        const from = part[0]?.start ?? 0;
        const own = part.map((chunk) => ({ ...chunk, start: chunk.start - from, end: chunk.end - from }));
        await addDocument({ database, index }, { profileUuid, text: text.slice(from, part.at(-1)?.end), chunks: own });
      }
    });
    const row = (name: string, { seconds, cpu }: Timed<unknown>) => [
      name,
      (text.length / 1e6 / seconds).toFixed(2),
      shown(chunks.length / seconds),
      cpu.toFixed(2),
    ];
    console.log(`\nIngestion of ${(text.length / 1e6).toFixed(1)} MB of text, ${chunks.length} passages`);
    printTable([
      ['step', 'MB/s', 'passages/s', 'CPU s here'],
      row('read and cut into passages', read),
      row('write the index, vectors given', written),
    ]);
  } finally {
    await extractor.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Timed<Result> {
  readonly result: Result;
  readonly seconds: number;
  readonly cpu: number;
}

async function timed<Result>(run: () => Promise<Result>): Promise<Timed<Result>> {
  const begun = performance.now();
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (performance.now() - begun) / 1_000, cpu: (user + system) / 1e6 };
}
