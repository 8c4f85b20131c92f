import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import { StatusMessage } from './input.ts';
import type { PublicationDesk } from './publication.ts';
import * as publications from './publication-statements.ts';
import type { EntryStatus } from './statements.ts';

/** A server of the registry and its status. */
export interface RegistryStatus {
  readonly serverUuid: string;
  readonly name: string;
  readonly status: EntryStatus;
  readonly statusMessage: string | null;
}

interface ServerRow {
  uuid: string;
  name: string;
  server_uuid: string;
  profile_uuid: string;
  status: EntryStatus;
}

/** Names that are looked after in one turn. */
const orphansMax = 200;

/** Status changes of a registry server by its owner. */
export function createLifecycle(deps: {
  database: Database;
  outbox: Outbox<EventPayloads>;
  publication: Pick<PublicationDesk, 'holding' | 'setStatus'>;
}) {
  const { database, outbox, publication } = deps;

  /**
   * Deprecates all versions of a server, with a message. They stay listed. A second call replaces the message.
   *
   * @param input.message 1 to 500 characters.
   * @throws {ApiError} `NOT_FOUND` for a server of another profile; `CONFLICT` for a withdrawn server;
   * `VALIDATION_ERROR`.
   */
  async function deprecate(
    caller: Caller,
    serverUuid: string,
    input: z.input<typeof StatusMessage>,
  ): Promise<RegistryStatus> {
    const { profileUuid } = authorize(caller, 'registry:write');
    const { message } = parse(StatusMessage, input);
    return change({ profileUuid }, serverUuid, { from: ['active', 'deprecated'], to: 'deprecated', message });
  }

  /** Takes that back. @throws {ApiError} As for `deprecate`. */
  async function reactivate(caller: Caller, serverUuid: string): Promise<RegistryStatus> {
    const { profileUuid } = authorize(caller, 'registry:write');
    return change({ profileUuid }, serverUuid, { from: ['deprecated'], to: 'active', message: null });
  }

  /**
   * Withdraws a server from the registry permanently; the feed of changes shows it. The server itself stays its
   * owner's, and can be submitted again; an import never restores it. An administrator may withdraw any server.
   *
   * @param input.message 1 to 500 characters.
   * @throws {ApiError} As for `deprecate`.
   */
  async function withdraw(
    caller: Caller,
    serverUuid: string,
    input: z.input<typeof StatusMessage>,
  ): Promise<RegistryStatus> {
    const { profileUuid, isAdmin } = authorize(caller, 'registry:write');
    const { message } = parse(StatusMessage, input);
    const who = isAdmin ? null : { profileUuid };
    return change(who, serverUuid, { from: ['active', 'deprecated'], to: 'deleted', message });
  }

  async function change(
    who: { profileUuid: string } | null,
    serverUuid: string,
    to: { from: readonly EntryStatus[]; to: EntryStatus; message: string | null },
  ): Promise<RegistryStatus> {
    if (!isUuid(serverUuid)) throw notFound();
    const status = await database.transaction((tx) =>
      publication.holding(tx, false, async (held) => {
        const [server] = await tx.query<ServerRow>(publications.nameOfServer(serverUuid));
        if (!server || (who && server.profile_uuid !== who.profileUuid)) throw notFound();
        if (server.status === 'deleted')
          throw new ApiError('CONFLICT', 'This server was withdrawn from the registry: submit it again');
        const status = { serverUuid: server.server_uuid, name: server.name, status: to.to, statusMessage: to.message };
        if (!(await publication.setStatus(tx, held, [server.uuid], to))) return status;
        const changes: Record<string, unknown> = { registry_status: to.to, registry_message: to.message };
        if (to.to === 'deleted') {
          // The server before the name, in the order in which a deletion locks them.
          await tx.query(publications.hideServers([server.server_uuid], held.now));
          await tx.query(publications.noteWithdrawal(server.uuid, held.now));
          Object.assign(changes, { is_public: false });
        }
        await outbox.write(tx, {
          profileUuid: server.profile_uuid,
          type: 'server.updated',
          data: { server_uuid: server.server_uuid, changes },
        });
        return status;
      }),
    );
    outbox.wake();
    return status;
  }

  /**
   * Records that servers are gone whose owners have deleted them or made them private. They are out of sight
   * already; the feed says so from now on.
   *
   * @returns How many names that were.
   */
  async function settleOrphans(): Promise<number> {
    const [first] = await database.query(publications.noted(1));
    if (!first) return 0;
    return database.transaction((tx) =>
      publication.holding(tx, false, async (held) => {
        const notes = await tx.query<{ registry_uuid: string; server_uuid: string | null }>(
          publications.noted(orphansMax),
        );
        const names = notes.map(({ registry_uuid }) => registry_uuid);
        // While they are locked their visibility cannot change: a later change writes its own note.
        await tx.query(publications.holdShown(notes.flatMap(({ server_uuid }) => server_uuid ?? [])));
        const rows = await tx.query<{ uuid: string; server_uuid: string | null }>(publications.orphans(names));
        const uuids = rows.map(({ uuid }) => uuid);
        const message = 'Its owner has made it private';
        await publication.setStatus(tx, held, uuids, { from: ['active', 'deprecated'], to: 'deleted', message });
        const hidden = rows.flatMap(({ server_uuid }) => server_uuid ?? []);
        await tx.query(publications.hideServers(hidden, held.now));
        await tx.query(publications.forgetNotes(names));
        return rows.length;
      }),
    );
  }

  /** Counts the servers that are listed, for the health page; what changes in between is added as it does. @returns How many. */
  async function recount(): Promise<number> {
    return database.transaction(async (tx) => {
      await tx.query(publications.hold());
      const [row] = await tx.query<{ total_servers: number }>(publications.recount());
      return row?.total_servers ?? 0;
    });
  }

  return { deprecate, reactivate, withdraw, settleOrphans, recount };
}

/** The same as for a server that does not exist. */
const notFound = () => new ApiError('NOT_FOUND', 'Server not found');
