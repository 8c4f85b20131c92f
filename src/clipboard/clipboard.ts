import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { inBatches } from '../platform/database/batches.ts';
import { ApiError } from '../platform/errors.ts';
import { parse } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import type { ClipboardChange, ClipboardEntry } from './entry.ts';
import { EntrySelector, NewNamedEntry, NewStackEntry, valueBytesMax } from './input.ts';
import { createReads } from './reads.ts';
import { createStacks } from './stack.ts';
import * as statements from './statements.ts';

export type ClipboardDependencies = Pick<Platform, 'database' | 'clock' | 'events'>;

export type Clipboard = ReturnType<typeof createClipboard>;

/** The memory of tools and agents: named entries and one stack per profile. Source: docs/specification/clipboard.md. */
export function createClipboard({ database, clock, events }: ClipboardDependencies) {
  const stacks = createStacks({ database, clock });

  /**
   * Creates or replaces a named entry. A live one keeps its uuid and createdAt.
   *
   * @param input.ttlSeconds Lifetime in seconds, 1 to 2 592 000 (30 days); 86 400 if left out.
   * @throws {ApiError} `FORBIDDEN` without `clipboard:write`; `VALIDATION_ERROR`; `TOO_LARGE` over 2 MB.
   * @see docs/specification/clipboard.md#set
   */
  async function set(caller: Caller, input: z.input<typeof NewNamedEntry>): Promise<ClipboardEntry> {
    const principal = authorize(caller, 'clipboard:write');
    const { name, ...rest } = parse(NewNamedEntry, input);
    const entry = newEntry(principal, rest);
    const statement = statements.set(principal.profileUuid, clock.pinned(), name, entry);
    const [written] = await database.query<statements.WrittenRow>(statement);
    const stored = storedEntry(entry, written as statements.WrittenRow, { name, idx: null });
    publish(principal, 'SET', stored);
    return stored;
  }

  /**
   * Pushes a value on the caller's stack; it becomes index 0.
   *
   * @param input.ttlSeconds Lifetime in seconds, 1 to 2 592 000 (30 days); 86 400 if left out.
   * @throws {ApiError} `FORBIDDEN` without `clipboard:write`; `VALIDATION_ERROR`; `TOO_LARGE` over 2 MB.
   * @see docs/specification/clipboard.md#push
   */
  async function push(caller: Caller, input: z.input<typeof NewStackEntry>): Promise<ClipboardEntry> {
    const principal = authorize(caller, 'clipboard:write');
    const entry = newEntry(principal, parse(NewStackEntry, input));
    const written = await stacks.push(principal.profileUuid, entry);
    const stored = storedEntry(entry, written, { name: null, idx: 0 });
    publish(principal, 'PUSHED', stored);
    return stored;
  }

  /**
   * Takes the newest entry off the caller's stack. At most once: when the response is lost, the entry is gone.
   *
   * @throws {ApiError} `NOT_FOUND` on an empty stack.
   * @see docs/specification/clipboard.md#pop
   */
  async function pop(caller: Caller): Promise<ClipboardEntry> {
    const principal = authorize(caller, 'clipboard:write');
    const popped = await stacks.pop(principal.profileUuid);
    if (popped === null) throw new ApiError('NOT_FOUND', 'Entry not found');
    publish(principal, 'POPPED', popped);
    return popped;
  }

  /**
   * Deletes one of the caller's entries by name or by index.
   *
   * @returns The id of the deleted entry; null when there was none.
   * @throws {ApiError} `VALIDATION_ERROR` for both, neither or a malformed one.
   * @see docs/specification/clipboard.md#delete
   */
  async function remove(caller: Caller, input: z.input<typeof EntrySelector>): Promise<string | null> {
    const principal = authorize(caller, 'clipboard:write');
    const { name, idx } = parse(EntrySelector, input);
    const statement = name
      ? statements.removeByName(principal.profileUuid, clock.pinned(), name)
      : statements.removeByIndex(principal.profileUuid, clock.pinned(), idx ?? 0);
    const [removed] = await database.query<statements.RemovedRow>(statement);
    if (!removed?.live) return null;
    publish(principal, 'DELETED', removed);
    return removed.uuid;
  }

  /**
   * Deletes all entries of the caller's profile. Irreversible.
   *
   * @returns How many live entries went.
   * @see docs/specification/clipboard.md#clear
   */
  async function clear(caller: Caller): Promise<number> {
    const principal = authorize(caller, 'clipboard:write');
    const [row] = await database.query<{ count: number }>(statements.clear(principal.profileUuid, clock.pinned()));
    const cleared = row?.count ?? 0;
    publish(principal, 'CLEARED', { uuid: null, name: null }, cleared);
    return cleared;
  }

  /** The changes of the caller's profile, in every process, from when it resolves. Ends with the caller's right to read. */
  async function changed(caller: Caller): Promise<AsyncGenerator<ClipboardChange, void, void>> {
    const { profileUuid } = authorize(caller, 'clipboard:read');
    return await events.subscribe<ClipboardChange>(channelOf(profileUuid));
  }

  /**
   * Deletes expired entries, a thousand rows a statement. Readers do not depend on it: they never see an expired entry.
   *
   * @returns The number of deleted rows.
   */
  async function purgeExpired(): Promise<number> {
    return inBatches<{ profile_uuid: string; uuid: string; name: string | null }>(
      database,
      1_000,
      (rows) => statements.purgeExpired(clock.pinned(), rows),
      (expired) => {
        for (const row of expired) publish({ profileUuid: row.profile_uuid }, 'EXPIRED', row);
      },
    );
  }

  /** Removes all entries of a profile that was deleted, a thousand rows a statement. */
  async function removeContents(profileUuid: string): Promise<void> {
    await inBatches(database, 1_000, (rows) => statements.removeContents(profileUuid, rows));
  }

  function publish(
    { profileUuid }: Pick<Principal, 'profileUuid'>,
    kind: ClipboardChange['kind'],
    { uuid, name }: Pick<ClipboardChange, 'uuid' | 'name'>,
    entries = 1,
  ): void {
    const change: ClipboardChange = { kind, uuid, name, count: entries, at: clock.now().toISOString() };
    events.publish(channelOf(profileUuid), change);
  }

  return { ...createReads({ database, clock }), set, push, pop, remove, clear, changed, purgeExpired, removeContents };
}

const channelOf = (profileUuid: string) => `clipboard:${profileUuid}`;

/** @throws {ApiError} `TOO_LARGE` over 2 MB. */
function newEntry(principal: Principal, input: z.output<typeof NewStackEntry>): statements.NewEntry {
  const sizeBytes = Buffer.byteLength(input.value);
  if (sizeBytes > valueBytesMax) throw new ApiError('TOO_LARGE', 'Value exceeds maximum size of 2MB');
  return {
    ...input,
    uuid: randomUUID(),
    sizeBytes,
    createdByTool: input.createdByTool ?? null,
    createdByModel: input.createdByModel ?? null,
    source: principal.source,
  };
}

function storedEntry(
  { ttlSeconds: _, ...entry }: statements.NewEntry,
  { uuid, createdAt, updatedAt, expiresAt }: statements.WrittenRow,
  place: Pick<ClipboardEntry, 'name' | 'idx'>,
): ClipboardEntry {
  return { ...entry, ...place, uuid, createdAt, updatedAt, expiresAt };
}
