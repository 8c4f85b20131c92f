import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { parse, requireUuid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { type CapabilityKind, capabilityKinds } from './capabilities.ts';
import * as statements from './discovery-statements.ts';
import { CapabilitiesReport } from './input.ts';
import { type Offer, offersOf } from './offers.ts';
import { serverNotFound } from './server.ts';
import { toolChanges } from './tool-changes.ts';
import { changesChannel, type ToolsChangedEvent } from './watch.ts';

export type DiscoveryStoreDependencies = Pick<Platform, 'database' | 'clock' | 'events'>;

export type DiscoveryStore = ReturnType<typeof createDiscoveryStore>;

/** Stores the capabilities of servers: discovered ones, and those that clients report. */
export function createDiscoveryStore({ database, clock, events }: DiscoveryStoreDependencies) {
  /**
   * Stores the capabilities that a client reports of a stdio server of the caller, which the platform never starts.
   *
   * @param input All items of each given kind; an omitted kind stays.
   * @returns The number of stored items: items without a name or over a bound are left out.
   * @throws {ApiError} `VALIDATION_ERROR` for more than 5 000 items of a kind; `NOT_FOUND` for a server of another
   * profile; `CONFLICT` for a server that the platform discovers itself.
   */
  async function report(
    caller: Caller,
    serverUuid: string,
    input: z.input<typeof CapabilitiesReport>,
  ): Promise<number> {
    const { profileUuid } = authorize(caller, 'mcp-servers:write');
    const { tools, resources, resourceTemplates, prompts } = parse(CapabilitiesReport, input);
    const said = { tool: tools, resource: resources, resource_template: resourceTemplates, prompt: prompts };
    const kinds = capabilityKinds.filter((kind) => said[kind] !== undefined && said[kind] !== null);
    const offers = offersOf(Object.fromEntries(kinds.map((kind) => [kind, said[kind]])));
    await store(requireUuid(serverUuid, serverNotFound), offers, kinds, (server) => {
      if (server.profile_uuid !== profileUuid) throw serverNotFound();
      if (server.transport !== 'stdio')
        throw new ApiError('CONFLICT', 'Only stdio servers accept reported capabilities');
      return true;
    });
    return offers.length;
  }

  /** Replaces the capabilities of a server, and stores the changes, in one transaction. */
  async function store(
    serverUuid: string,
    offers: readonly Offer[],
    kinds: readonly CapabilityKind[],
    isWanted: (server: statements.HeldRow) => boolean,
  ): Promise<boolean> {
    const now = clock.now();
    const kept = await database.transaction(async (tx) => {
      const [server] = await tx.query<statements.HeldRow>(statements.hold(serverUuid));
      if (!server) throw serverNotFound();
      if (!isWanted(server)) return null;
      const rows = await tx.query<{ name: string; definition: string }>(statements.toolsOf(serverUuid));
      const before = new Map(rows.map(({ name, definition }) => [name, definition]));
      const hasTools = kinds.includes('tool');
      // The first discovery records no changes: there is no earlier state.
      const changes = hasTools && server.are_tools_known ? toolChanges(before, offers) : [];
      await tx.query(statements.forget(serverUuid, kinds));
      if (offers.length > 0) await tx.query(statements.store(serverUuid, offers));
      if (changes.length > 0)
        await tx.query(
          statements.record(
            serverUuid,
            now,
            changes.map(() => randomUUID()),
            changes,
          ),
        );
      await tx.query(statements.succeed(serverUuid, now, hasTools));
      return { profileUuid: server.profile_uuid, changes };
    });
    if (kept === null) return false;
    if (kept.changes.length > 0) {
      const changes = kept.changes.map(({ name, change }) => ({ name, change }));
      const event: ToolsChangedEvent = { serverUuid, changes };
      for (const channel of [changesChannel.ofProfile(kept.profileUuid), changesChannel.ofServer(serverUuid)])
        events.publish(channel, event);
    }
    return true;
  }

  return { report, store };
}
