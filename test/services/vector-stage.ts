import { rm } from 'node:fs/promises';
import path from 'node:path';
import { narrowedTo } from '../../src/documents/search/input.ts';
import { createRetrieval } from '../../src/documents/search/retrieval.ts';
import { createServices } from '../../src/main/services.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openTestInfrastructure, signUp } from '../support/services.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { startPostgresServer } from './postgres-server.ts';

/** Debian's PostgreSQL 15, to which pgvector 0.8.0 can be added. The user owns the database and is no superuser. */
export async function startVectorStage() {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  const programs = postgresPrograms();
  cleanUp(() => rm(programs.folder, { recursive: true, force: true }));
  const server = await startPostgresServer({ bin: programs.bin });
  cleanUp(() => server.close());
  const url = await server.createDatabase('documents');
  await migrate({ url, directory: path.resolve(import.meta.dirname, '../../prisma/migrations') });
  const statements: string[] = [];
  const infrastructure = await openTestInfrastructure({
    url,
    clock: createManualClock(),
    onStatement: (text) => statements.push(text),
  });
  const { database } = infrastructure;
  const services = createServices(infrastructure);
  const newProfile = async () => (await signUp(services)).principal?.profileUuid as string;

  /** The best ten passages of a profile for a vector, as the product finds them by meaning alone. */
  async function bestTen(
    profile: string,
    vector: Float32Array,
    { narrowing = narrowedTo(null), over = database } = {},
  ) {
    const providers = {
      of: (id: string, dims: number) => ({
        id,
        dims,
        maxTokens: 128,
        embed: async () => [vector],
        close: async () => {},
      }),
    };
    const retrieve = createRetrieval({ database: over, log, providers });
    const { passages: found } = await retrieve(profile, 'x', narrowing, 10, { words: false, meaning: true });
    return found.slice(0, 10).map(({ id }) => id);
  }

  /** Whether a search asked the index of pgvector. */
  async function asksIndex(search: () => Promise<unknown>): Promise<boolean> {
    statements.length = 0;
    await search();
    return statements.some((text) => text.includes('<=>'));
  }

  return {
    ...{ lines, log, programs, server, infrastructure, database, newProfile, bestTen, asksIndex },
    install: () => server.administer('CREATE EXTENSION vector', 'documents'),
  };
}
