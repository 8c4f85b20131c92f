import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { requireUuid } from '../platform/input/input.ts';
import { type Events, filtered } from '../platform/messaging/events.ts';
import type { CapabilityKind } from './capabilities.ts';
import { profileOf, seerOf, serverNotFound, visibleTo } from './server.ts';
import type { ToolChange } from './tool-changes.ts';

/** Progress of a discovery. A kind: its list is being requested. */
export interface DiscoveryEvent {
  readonly serverUuid: string;
  readonly stage: 'queued' | 'connecting' | CapabilityKind | 'succeeded' | 'failed' | 'needs_authorization';
  /** Why it failed. */
  readonly error?: string;
  /** How many things the server offers, once it has succeeded. */
  readonly offers?: number;
}

/** Signals that tools of a server have changed. */
export interface ToolsChangedEvent {
  readonly serverUuid: string;
  readonly changes: readonly Pick<ToolChange, 'name' | 'change'>[];
}

export const progressChannel = (profileUuid: string) => `mcp-discoveries:${profileUuid}`;
export const changesChannel = {
  ofProfile: (profileUuid: string) => `mcp-tools-of-profile:${profileUuid}`,
  ofServer: (serverUuid: string) => `mcp-tools-of-server:${serverUuid}`,
};

type EventStream<Payload> = AsyncGenerator<Payload, void, void>;

/** Live events of servers. */
export function createWatch({ database, events }: { database: Pick<Database, 'prisma'>; events: Events }) {
  const { prisma } = database;

  const isSeen = async (profileUuid: string | null, uuid: string) =>
    (await prisma.mcpServer.count({ where: { AND: [{ uuid }, visibleTo(profileUuid)] } })) > 0;

  /**
   * Progress of the discoveries of the caller's servers, of all or of one.
   *
   * @throws {ApiError} `NOT_FOUND` for a server of another profile.
   */
  async function progressed(
    caller: Caller,
    input: { uuid?: string | null | undefined } = {},
  ): Promise<EventStream<DiscoveryEvent>> {
    const { profileUuid } = authorize(caller, 'mcp-servers:read');
    const uuid = input.uuid === null || input.uuid === undefined ? null : requireUuid(input.uuid, serverNotFound);
    if (uuid !== null && (await prisma.mcpServer.count({ where: { uuid, profileUuid } })) === 0) throw serverNotFound();
    const stream = await events.subscribe<DiscoveryEvent>(progressChannel(profileUuid));
    return uuid === null ? stream : filtered(stream, async (each) => each.serverUuid === uuid);
  }

  /**
   * Changes of tools: of the caller's servers, or of one that is public or the caller's, for as long as it is.
   *
   * @throws {ApiError} `NOT_FOUND` for a server that the caller may not see.
   */
  async function toolsChanged(
    caller: Caller,
    input: { uuid?: string | null | undefined } = {},
  ): Promise<EventStream<ToolsChangedEvent>> {
    if (input.uuid === null || input.uuid === undefined)
      return events.subscribe<ToolsChangedEvent>(
        changesChannel.ofProfile(authorize(caller, 'mcp-servers:read').profileUuid),
      );
    seerOf(caller);
    const profileUuid = profileOf(caller);
    const uuid = requireUuid(input.uuid, serverNotFound);
    if (!(await isSeen(profileUuid, uuid))) throw serverNotFound();
    const stream = await events.subscribe<ToolsChangedEvent>(changesChannel.ofServer(uuid));
    return filtered(stream, () => isSeen(profileUuid, uuid));
  }

  return { progressed, toolsChanged };
}
