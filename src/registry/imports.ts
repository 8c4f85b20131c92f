import { z } from 'zod';
import { type Database, isDeadlock, isUniqueViolation } from '../platform/database/database.ts';
import { type DumpElement, elementsOf } from './dump.ts';
import { keyOf, type Publication, type PublicationDesk } from './publication.ts';
import * as statements from './publication-statements.ts';
import { ServerJsonDocument } from './server-json.ts';

/** Of one transaction. */
const batchEntriesMax = 500;
const batchBytesMax = 2 * 1024 * 1024;
/** Of a batch that has come into the way of others; it has no effect outside of its transaction. */
const attemptsMax = 3;

/** The result of importing a dump. */
export interface ImportSummary {
  /** New or changed versions. */
  imported: number;
  unchanged: number;
  refused: number;
}

/** Something that was not taken up, and why. */
export interface Refused {
  readonly line: number;
  readonly reason: string;
}

interface Entry extends Publication {
  readonly line: number;
  readonly text: string;
}

/** The account that owns imported servers; users cannot sign up under its name or sign in as it. */
const importer = 'registry';

const officialKey = 'io.modelcontextprotocol.registry/official';

/** The registry's data of a version beside its document. Malformed members are left out. */
const Official = z.object({
  status: z.enum(['active', 'deprecated', 'deleted']).catch('active'),
  statusMessage: z
    .string()
    .max(500)
    .refine((text) => text.isWellFormed() && !text.includes('\u0000'))
    .nullable()
    .catch(null),
  publishedAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    // RFC 3339 has years that the database has not; nothing was published before there were such servers.
    .refine((time) => time.getUTCFullYear() >= 1970 && time.getUTCFullYear() <= 9999)
    .optional()
    .catch(undefined),
});

/** Takes up dumps of other registries. Source: docs/specification/registry.md#import. */
export function createImports(deps: {
  database: Database;
  publication: Pick<PublicationDesk, 'holding' | 'publish'>;
  /** The profile of an account of the platform's own. */
  profileOf: (username: string) => Promise<string>;
}) {
  const { database, publication, profileOf } = deps;

  /**
   * Imports a dump. Each batch is its own transaction: an interrupted or repeated import changes nothing that exists.
   * Names with a verified owner stay as the owner published them, and withdrawn servers stay withdrawn.
   *
   * @param source A JSON array of server.json documents, pages of the official API, or JSON lines of either.
   * @param onProgress Called after each batch.
   * @param onRefused Called for each rejected element.
   */
  async function run(
    source: AsyncIterable<Buffer>,
    {
      onProgress = () => undefined,
      onRefused = () => undefined,
    }: { onProgress?: (summary: ImportSummary) => void; onRefused?: (refused: Refused) => void } = {},
  ): Promise<ImportSummary> {
    const summary = { imported: 0, unchanged: 0, refused: 0 };
    const refuse = (line: number, reason: string) => {
      summary.refused++;
      onRefused({ line, reason });
    };
    const profileUuid = await profileOf(importer);
    let batch = new Map<string, Entry>();
    let bytes = 0;
    const flush = async () => {
      if (batch.size === 0) return;
      const { changed, barred, total } = await write(profileUuid, [...batch.values()]);
      for (const { line, reason } of barred) refuse(line, reason);
      summary.imported += changed;
      summary.unchanged += total - barred.length - changed;
      [batch, bytes] = [new Map(), 0];
      onProgress(summary);
    };
    for await (const element of elementsOf(source)) {
      const entry = entryOf(element);
      if ('reason' in entry) {
        refuse(entry.line, entry.reason);
        continue;
      }
      const key = `${keyOf(entry.document.name)} ${entry.document.version}`;
      // Of two in one batch the later one counts, as it does in two.
      if (batch.has(key)) summary.unchanged++;
      batch.set(key, entry);
      bytes += entry.text.length;
      if (batch.size >= batchEntriesMax || bytes >= batchBytesMax) await flush();
    }
    await flush();
    return summary;
  }

  async function write(profileUuid: string, entries: readonly Entry[]) {
    for (let attempt = 1; ; attempt++)
      try {
        return await writeOnce(profileUuid, entries);
      } catch (error) {
        // Slugs of new servers may meet; the next attempt draws others.
        if (attempt === attemptsMax || !(isDeadlock(error) || isUniqueViolation(error))) throw error;
      }
  }

  async function writeOnce(profileUuid: string, entries: readonly Entry[]) {
    return database.transaction((tx) =>
      publication.holding(tx, true, async (held) => {
        const keys = [...new Set(entries.map(({ document }) => keyOf(document.name)))];
        const rows = await tx.query<statements.RegistryServerRow>(statements.serversByName(keys));
        const reasons = new Map(rows.map((row) => [row.name_key, barOf(row)]));
        const barred = entries.flatMap(({ line, document }) => {
          const reason = reasons.get(keyOf(document.name));
          return reason ? [{ line, reason }] : [];
        });
        const free = entries.filter(({ document }) => !reasons.get(keyOf(document.name)));
        const changed = free.length > 0 ? await publication.publish(tx, held, { profileUuid, proof: null }, free) : [];
        return { changed: changed.length, barred, total: entries.length };
      }),
    );
  }

  return { run };
}

/** Why a name is not an import's to change; null where it is. */
function barOf({ owner_uuid, withdrawn_at }: statements.RegistryServerRow): string | null {
  if (withdrawn_at !== null) return 'it was withdrawn here';
  return owner_uuid === null ? null : 'its owner has published it here';
}

/** Pure: what an element of a dump is, or why it is refused. */
function entryOf({ line, text, isDeep }: DumpElement): Entry | Refused {
  if (isDeep) return { line, reason: 'it is nested deeper than 64 levels' };
  if (text === null) return { line, reason: 'it is larger than 256 kB' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, reason: 'it is not valid JSON' };
  }
  const { server = value, _meta } = (typeof value === 'object' && value !== null ? value : {}) as {
    server?: unknown;
    _meta?: Record<string, unknown>;
  };
  const parsed = ServerJsonDocument.safeParse(server);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join('.');
    return {
      line,
      reason: shortened(place ? `${place}: ${issue?.message}` : (issue?.message ?? 'it is not a server.json')),
    };
  }
  const official = Official.safeParse(_meta?.[officialKey] ?? {}).data;
  return {
    line,
    document: parsed.data,
    text: JSON.stringify(server),
    status: official?.status ?? 'active',
    statusMessage: official?.statusMessage ?? null,
    publishedAt: official?.publishedAt,
  };
}

/** A dump is foreign text: a terminal must not interpret it. */
const shortened = (text: string) => text.replace(/\p{C}/gu, '�').slice(0, 300);
