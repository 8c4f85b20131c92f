import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import type { McpServers } from '../mcp-servers/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import {
  type CollectionRecord,
  type CollectionShape,
  changesOf,
  collectionNotFound,
  profileNotFound,
} from './collection.ts';
import { CollectionChange, NewCollection } from './input.ts';
import { createMembers } from './members.ts';
import { createReads } from './reads.ts';
import * as statements from './statements.ts';
import { createWatch } from './watch.ts';

export interface CollectionDependencies extends Pick<Platform, 'database' | 'clock' | 'events'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  /** Installs servers in the caller's profile, as far as it may see them. */
  readonly installAll: McpServers['usage']['installAll'];
}

/** How many servers an import has installed, and how many the profile had. */
export interface Import {
  readonly installed: number;
  readonly alreadyInstalled: number;
}

export type Collections = ReturnType<typeof createCollections>;

/** Per profile. */
const collectionsMax = 200;

/** Named groups of MCP servers. Source: docs/specification/collections.md. */
export function createCollections({ database, clock, events, outbox, secrets, installAll }: CollectionDependencies) {
  const reads = createReads(database);
  const members = createMembers({ database, secrets });
  const watch = createWatch({ events });

  /**
   * Creates a collection in the caller's profile; a public one emits `collection.shared`.
   *
   * @param input.serverUuids At most 500, in their order; each must be public or of the caller's profile.
   * @param input.profileUuid The caller's own profile.
   * @throws {ApiError} `VALIDATION_ERROR`, also for a server that the caller may not see, named by its place;
   * `NOT_FOUND` for another profile; `CONFLICT` over 200 collections of the profile.
   * @see docs/specification/collections.md#create
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewCollection>,
    query: CollectionShape = {},
  ): Promise<CollectionRecord> {
    const { profileUuid } = authorize(caller, 'collections:write');
    const { name, description, serverUuids, isPublic, profileUuid: asked } = parse(NewCollection, input);
    if ((asked ?? null) !== null && asked?.toLowerCase() !== profileUuid) throw profileNotFound();
    const uuid = randomUUID();
    const now = clock.now();
    const collection = await database.transaction(async (tx) => {
      await tx.query(statements.alone(profileUuid));
      if ((await tx.prisma.collection.count({ where: { profileUuid } })) >= collectionsMax)
        throw new ApiError('CONFLICT', `A profile can have at most ${collectionsMax} collections`);
      const servers = await members.hold(tx, profileUuid, serverUuids ?? []);
      const data = { uuid, profileUuid, name, description: description ?? null, isPublic: isPublic ?? false };
      const created = await tx.prisma.collection.create({
        ...query,
        data: { ...data, createdAt: now, updatedAt: now },
      });
      if (servers.length > 0) await tx.query(statements.fill(uuid, servers));
      if (isPublic) await outbox.write(tx, { profileUuid, type: 'collection.shared', data: { collection_uuid: uuid } });
      return created;
    });
    if (isPublic) outbox.wake();
    watch.publish(profileUuid, { kind: 'CREATED', uuid });
    return collection;
  }

  /**
   * Changes the given fields; null empties the description and the list. Of two concurrent changes the second waits.
   *
   * Events are written in the same transaction: `collection.shared` when it becomes public, `collection.updated` for
   * every other change, and none if nothing changed.
   *
   * @param input.serverUuids Replaces the whole list, including servers that the caller can no longer see.
   * @throws {ApiError} `NOT_FOUND` for a collection of another profile; `VALIDATION_ERROR` as for `create`.
   * @see docs/specification/collections.md#update
   */
  async function update(
    caller: Caller,
    uuid: string,
    input: z.input<typeof CollectionChange>,
    query: CollectionShape = {},
  ): Promise<CollectionRecord> {
    const { profileUuid } = authorize(caller, 'collections:write');
    const { name, description, serverUuids, isPublic } = parse(CollectionChange, input);
    const where = { uuid: requireUuid(uuid, collectionNotFound), profileUuid };
    const { collection, isPublished } = await database.transaction(async (tx) => {
      const [held] = await tx.query<statements.HeldRow>(statements.hold(where.uuid, profileUuid));
      if (!held) throw collectionNotFound();
      const before = { name: held.name, description: held.description, isPublic: held.is_public };
      const data = {
        name: name ?? before.name,
        description: description === undefined ? before.description : description,
        isPublic: isPublic ?? before.isPublic,
      };
      const servers =
        serverUuids === undefined ? null : await members.replace(tx, where.uuid, profileUuid, serverUuids ?? []);
      const changes = { ...changesOf(before, data), ...(servers && { server_uuids: servers }) };
      if (Object.keys(changes).length === 0) {
        const same = await tx.prisma.collection.findUniqueOrThrow({ ...query, where });
        return { collection: same, isPublished: false };
      }
      await publish(tx, profileUuid, where.uuid, changes);
      const changed = await tx.prisma.collection.update({ ...query, where, data: { ...data, updatedAt: clock.now() } });
      return { collection: changed, isPublished: true };
    });
    if (isPublished) {
      outbox.wake();
      watch.publish(profileUuid, { kind: 'UPDATED', uuid: where.uuid });
    }
    return collection;
  }

  /** Writes the events for webhooks: becoming public has an event of its own and does not count as another change. */
  async function publish(
    tx: Pick<Database, 'query'>,
    profileUuid: string,
    uuid: string,
    { is_public: isPublic, ...rest }: Record<string, unknown>,
  ): Promise<void> {
    if (isPublic === true)
      await outbox.write(tx, { profileUuid, type: 'collection.shared', data: { collection_uuid: uuid } });
    const changes = { ...rest, ...(isPublic === false && { is_public: false }) };
    if (Object.keys(changes).length > 0)
      await outbox.write(tx, { profileUuid, type: 'collection.updated', data: { collection_uuid: uuid, changes } });
  }

  /**
   * Deletes a collection; the servers stay.
   *
   * @throws {ApiError} `NOT_FOUND` for a collection of another profile.
   * @see docs/specification/collections.md#delete
   */
  async function remove(caller: Caller, uuid: string): Promise<string> {
    const { profileUuid } = authorize(caller, 'collections:write');
    const [row] = await database.query<{ uuid: string }>(
      statements.remove(requireUuid(uuid, collectionNotFound), profileUuid),
    );
    if (!row) throw collectionNotFound();
    watch.publish(profileUuid, { kind: 'DELETED', uuid: row.uuid });
    return row.uuid;
  }

  /**
   * Installs in the caller's profile all servers of a collection that the caller may see, in as many statements as for
   * one. Repeating it changes nothing.
   *
   * @throws {ApiError} `NOT_FOUND` for a collection that is neither public nor the caller's.
   */
  async function importServers(caller: Caller, uuid: string): Promise<Import> {
    const { profileUuid } = authorize(caller, 'collections:write');
    const { uuid: known } = await reads.findImported(caller, uuid, { select: { uuid: true } });
    const servers = await database.query<{ uuid: string }>(statements.serversOf(known, profileUuid));
    return installAll(
      caller,
      servers.map((server) => server.uuid),
    );
  }

  return {
    ...reads,
    create,
    update,
    remove,
    importServers,
    changed: watch.changed,
    servers: { places: members.places, counts: members.counts },
  };
}
