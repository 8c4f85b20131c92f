import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { McpServer, Prisma } from '../../prisma/generated/client/client.ts';
import type { EventPayloads } from '../event-catalogue/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { ApiError } from '../platform/errors.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { type ConfigurationReadDependencies, createConfigurationReads } from './configuration-reads.ts';
import type { Discoveries } from './discoveries.ts';
import { McpServerChange, NewMcpServer } from './input.ts';
import {
  type Connectable,
  changesOf,
  connectableMistakes,
  discoveryAfter,
  queuedAt,
  refuseReviewed,
  transportOf,
  validateConnectable,
} from './judgement.ts';
import { createVariableSeals } from './sealed-variables.ts';
import { type McpServerRecord, type McpServerShape, masked, serverNotFound, withoutSecrets } from './server.ts';
import { slugOf } from './slug.ts';

/** Per profile. */
export const serversMax = 200;

export interface ConfigurationDependencies
  extends ConfigurationReadDependencies,
    Pick<Platform, 'database' | 'clock' | 'secrets'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly egress: Pick<Egress, 'validateUrl'>;
  /** Puts discoveries into the queue as part of a transaction, and says so after its commit. */
  readonly discoveries: Pick<Discoveries, 'send' | 'announce'>;
}

/** The configurations of a profile's MCP servers. Source: docs/specification/mcp-servers.md. */
export function createConfigurations(deps: ConfigurationDependencies) {
  const { database, clock, outbox, egress, secrets, discoveries } = deps;
  const seals = createVariableSeals({ secrets });

  /**
   * Adds a private server to the caller's profile. The platform never runs its command.
   *
   * @param input.transport By default http if there is a url and no command, else stdio.
   * @param input.env Values are encrypted, and masked from now on.
   * @throws {ApiError} `VALIDATION_ERROR`, also for stdio without a command and for http or sse without a public url;
   * `CONFLICT` over 200 servers of the profile.
   * @see docs/specification/mcp-servers.md#create
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewMcpServer>,
    query: McpServerShape = withoutSecrets,
  ): Promise<McpServerRecord> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    const { transport, command, args, url, env, headers, tags, ...rest } = parse(NewMcpServer, input, mistakesOf);
    const way = connectable({ transport: transportOf({ transport, command, url }), command, args, url });
    const [uuid, jobUuid] = [randomUUID(), randomUUID()];
    const now = clock.now();
    const variables = seals.seal(uuid, 'env', env ?? {}, null);
    const sent = seals.seal(uuid, 'headers', headers ?? {}, null);
    const data = {
      ...rest,
      ...way,
      uuid,
      profileUuid,
      slug: slugOf(rest.name, uuid),
      transports: [way.transport],
      env: variables.sealed,
      envNames: variables.names,
      headers: sent.sealed,
      headerNames: sent.names,
      tags: tags ?? [],
      ...(way.transport !== 'stdio' && queuedAt(now, jobUuid)),
      createdAt: now,
      updatedAt: now,
    };
    const server = await database.transaction(async (tx) => {
      // The count runs under the lock, so that two at once cannot both take the last free place.
      await tx.query({
        name: 'mcp_servers_alone',
        text: 'SELECT 1 FROM profiles WHERE uuid = $1 FOR NO KEY UPDATE',
        values: [profileUuid],
      });
      if ((await tx.prisma.mcpServer.count({ where: { profileUuid } })) >= serversMax)
        throw new ApiError('CONFLICT', `A profile can have at most ${serversMax} servers`);
      const created = await tx.prisma.mcpServer.create({ ...query, data });
      if (way.transport !== 'stdio') await discoveries.send(tx, profileUuid, [{ serverUuid: uuid, jobUuid }]);
      return created;
    });
    if (way.transport !== 'stdio') discoveries.announce(profileUuid, [uuid]);
    return server;
  }

  /**
   * Changes the given fields, and emits an event with the changes.
   *
   * @param input.env Replaces the whole. A masked value keeps the stored one.
   * @throws {ApiError} `NOT_FOUND` for a server of another profile; `VALIDATION_ERROR` as for `create`; `CONFLICT` for
   * fields of a server in the registry that must match it.
   */
  async function update(
    caller: Caller,
    uuid: string,
    input: z.input<typeof McpServerChange>,
    query: McpServerShape = withoutSecrets,
  ): Promise<McpServerRecord> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    const { name, transport, command, args, url, env, headers, tags, ...rest } = parse(McpServerChange, input);
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    return changed(profileUuid, uuid, query, (before) => {
      const next = transport ?? (before.transport as Connectable['transport']);
      const way = connectable({
        transport: next,
        command: command === undefined ? before.command : command,
        args: args === undefined ? before.args : args,
        url: url === undefined ? before.url : url,
      });
      const variables = env === undefined ? null : seals.seal(before.uuid, 'env', env ?? {}, before.env);
      const sent = headers === undefined ? null : seals.seal(before.uuid, 'headers', headers ?? {}, before.headers);
      return {
        ...given,
        ...way,
        ...(name && { name }),
        transports: next === before.transport ? before.transports : [next],
        ...(tags !== undefined && { tags: tags ?? [] }),
        ...(variables && { env: variables.sealed, envNames: variables.names }),
        ...(sent && { headers: sent.sealed, headerNames: sent.names }),
      };
    });
  }

  /**
   * Makes a server public, or private to its profile. @throws {ApiError} `NOT_FOUND` for a server of another profile.
   */
  async function setVisibility(
    caller: Caller,
    uuid: string,
    input: { isPublic: boolean },
    query: McpServerShape = withoutSecrets,
  ): Promise<McpServerRecord> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    return changed(profileUuid, uuid, query, () => ({ isPublic: input.isPublic }));
  }

  /**
   * Deletes a server with everything that belongs to it. @throws {ApiError} `NOT_FOUND` for a server of another
   * profile.
   */
  async function remove(caller: Caller, uuid: string): Promise<string> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    const [row] = await database.query<{ uuid: string }>({
      name: 'mcp_servers_remove',
      text: 'DELETE FROM mcp_servers WHERE uuid = $1 AND profile_uuid = $2 RETURNING uuid',
      values: [requireUuid(uuid, serverNotFound), profileUuid],
      // Its capabilities, daily figures and installations are deleted with it.
      query_timeout: 9_000,
    });
    if (!row) throw serverNotFound();
    return row.uuid;
  }

  /** Changes a server under its lock, and emits the event in the same transaction. */
  async function changed(
    profileUuid: string,
    uuid: string,
    query: McpServerShape,
    change: (before: McpServer) => Prisma.McpServerUncheckedUpdateInput,
  ): Promise<McpServerRecord> {
    const where = { uuid: requireUuid(uuid, serverNotFound), profileUuid };
    const { server, isQueued } = await database.transaction(async (tx) => {
      await tx.query({
        name: 'mcp_servers_lock',
        text: 'SELECT 1 FROM mcp_servers WHERE uuid = $1 AND profile_uuid = $2 FOR UPDATE',
        values: [where.uuid, profileUuid],
      });
      const before = await tx.prisma.mcpServer.findFirst({ where });
      if (before === null) throw serverNotFound();
      const data = change(before);
      const changes = changesOf(before, data);
      refuseReviewed(before, changes);
      if (Object.keys(changes).length > 0)
        await outbox.write(tx, { profileUuid, type: 'server.updated', data: { server_uuid: before.uuid, changes } });
      const now = clock.now();
      const { marks, jobUuid } = discoveryAfter(before, changes, now, randomUUID());
      const server = await tx.prisma.mcpServer.update({
        ...query,
        where,
        data: { ...data, ...marks, updatedAt: now },
      });
      if (jobUuid !== null) await discoveries.send(tx, profileUuid, [{ serverUuid: where.uuid, jobUuid }]);
      return { server, isQueued: jobUuid !== null };
    });
    outbox.wake();
    if (isQueued) discoveries.announce(profileUuid, [where.uuid]);
    return server;
  }

  const connectable = (way: Connectable) => validateConnectable(way, egress);

  /** The errors in fields of a new server that its schema cannot express. */
  const mistakesOf = (fields: Partial<z.output<typeof NewMcpServer>>) => connectableMistakes(fields, egress);

  return { ...createConfigurationReads(deps), masked, mistakesOf, create, update, setVisibility, remove };
}
