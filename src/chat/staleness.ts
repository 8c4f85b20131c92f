import { setImmediate as turn } from 'node:timers/promises';
import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Notifications } from '../notifications/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { isUuid } from '../platform/input/input.ts';
import type { Outbox, OutboxEvent } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { bestSentences } from './best-sentences.ts';
import * as statements from './stale-statements.ts';
import { contentWords, overlap } from './words.ts';

export interface StalenessDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly notify: Notifications['notify'];
  /** The whole text of a version of a document; null where there is none any more. */
  readonly textOf: (documentUuid: string, version: number) => Promise<string | null>;
}

/** Signals that text cited by an answer has changed. */
export interface StaleAnswer {
  readonly messageUuid: string;
  readonly sessionUuid: string;
  readonly documentUuid: string;
  /** The version without the words; null when the document was deleted. */
  readonly version: number | null;
  /** Numbers of the citations. */
  readonly numbers: readonly number[];
}

/** Citations of one look. */
const rowsMax = 200;
/** The replacement of a passage is searched around its old place. */
const nearCharacters = 20_000;
const shownMax = 600;
/** Words with less in common than this do not stand in the place of others. */
const likenessMin = 0.8;

const channelOf = (profileUuid: string) => `chat-stale:${profileUuid}`;

/** Finds out which words that answers cite are changed by a new version of their document, or gone with it. */
export function createStaleness(deps: StalenessDependencies) {
  const { database, clock, events, outbox, notify, textOf } = deps;
  let checking: Promise<number> | null = null;

  /** Processes changes of documents from the outbox. */
  async function read(tx: Database, batch: readonly OutboxEvent[]): Promise<() => void> {
    const documents = batch.flatMap(({ type, data }) => {
      if (type === 'document.deleted')
        return [{ uuid: (data as EventPayloads['document.deleted']).document_id, version: statements.deletedVersion }];
      if (type !== 'document.updated') return [];
      const { document_id: uuid, version } = data as EventPayloads['document.updated'];
      return [{ uuid, version }];
    });
    // What names no document concerns no citation, and must not keep the event from the other readers.
    const known = documents.filter(({ uuid }) => isUuid(uuid));
    if (known.length === 0) return () => {};
    await tx.query(statements.markDue(known));
    return () => {
      check().catch((error: unknown) => database.report(error, 'citations of the chat could not be compared'));
    };
  }

  /** Looks for all words that are due. @returns How many citations it was. */
  function check(): Promise<number> {
    // Marks that are set during a comparison are seen by the next one.
    checking = (checking ?? Promise.resolve(0)).catch(() => 0).then(checkAll);
    return checking;
  }

  async function checkAll(): Promise<number> {
    let total = 0;
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const [next] = await database.query<statements.DueRow & Record<string, unknown>>(statements.nextDue(after));
      if (!next) return total;
      total += await checkDocument(next);
      after = next.document_uuid;
    }
  }

  async function checkDocument({ document_uuid: uuid, check_version: version }: statements.DueRow): Promise<number> {
    const text = version === statements.deletedVersion ? null : await textOf(uuid, version);
    for (let total = 0; ; ) {
      const rows = await database.query<statements.CheckedRow & Record<string, unknown>>(
        statements.due(uuid, version, rowsMax),
      );
      const findings: statements.Finding[] = [];
      for (const row of rows) {
        findings.push(findingOf(row, text));
        // Another turn for everything else: a long text takes some milliseconds for each citation.
        await turn();
      }
      if (rows.length > 0) await settle(uuid, version, findings, rows[0]?.title ?? '');
      total += rows.length;
      if (rows.length < rowsMax) return total;
    }
  }

  /** Stores the results, and notifies the profile in the same transaction. */
  async function settle(
    documentUuid: string,
    version: number,
    findings: readonly statements.Finding[],
    title: string,
  ): Promise<void> {
    const { stale, announce } = await database.transaction(async (tx) => {
      const messages = await tx.query<statements.StaleMessage & Record<string, unknown>>(
        statements.settle(documentUuid, version, clock.now(), findings),
      );
      const [first] = messages;
      if (!first) return { stale: messages, announce: () => {} };
      const written = messages.map((message) => ({
        profileUuid: message.profile_uuid,
        data: {
          message_id: message.message_uuid,
          session_id: message.session_uuid,
          document_id: documentUuid,
          version: version || null,
          citations: message.numbers,
        },
      }));
      await outbox.writeAll(tx, 'chat.citation_stale', written);
      const announced = await notify(tx, first.profile_uuid, {
        type: 'WARNING',
        severity: 'WARNING',
        title: 'Answers cite words that have changed',
        message: wordsOf(messages.length, title, version),
        metadata: { documentId: documentUuid, version: version || null, messageId: first.message_uuid },
      });
      return { stale: messages, announce: announced };
    });
    if (stale.length === 0) return;
    announce();
    for (const message of stale) {
      const event: StaleAnswer = {
        messageUuid: message.message_uuid,
        sessionUuid: message.session_uuid,
        documentUuid,
        version: version || null,
        numbers: message.numbers,
      };
      events.publish(channelOf(message.profile_uuid), event);
    }
  }

  /** The caller's answers whose cited words change, from when it resolves, in every process. */
  async function changed(caller: Caller): Promise<AsyncGenerator<StaleAnswer, void, void>> {
    const { profileUuid } = authorize(caller, 'chat:read');
    return events.subscribe<StaleAnswer>(channelOf(profileUuid));
  }

  return { read, check, changed };
}

function wordsOf(answers: number, title: string, version: number): string {
  const what = answers === 1 ? 'An answer of your chat cites words' : `${answers} answers of your chat cite words`;
  const shown = `“${title.slice(0, 200)}”`;
  return version === statements.deletedVersion
    ? `${what} of ${shown}, which was deleted.`
    : `${what} of ${shown} that version ${version} has changed. You can ask for a new answer.`;
}

/** Whether a text contains a passage; if not, the most similar text near its old place. */
function findingOf(
  { message_uuid, place, text: words, start }: statements.CheckedRow,
  text: string | null,
): statements.Finding {
  const found = { messageUuid: message_uuid, place };
  if (text === null) return { ...found, isStale: true, staleText: null };
  // An unverified citation has no words to look for.
  if (words === '' || text.includes(words)) return { ...found, isStale: false, staleText: null };
  const from = Math.max(0, Math.min(start, text.length) - nearCharacters);
  const near = text.slice(from, from + 2 * nearCharacters + words.length).toWellFormed();
  const wanted = contentWords(words);
  const span = bestSentences(wanted, near, shownMax);
  const shown = span === null ? '' : near.slice(span.start, span.end);
  return {
    ...found,
    isStale: true,
    staleText: overlap(wanted, shown) >= likenessMin ? shown.replaceAll('\ufffd', '') : null,
  };
}
