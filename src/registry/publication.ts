import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/database/database.ts';
import { isHttpUrl } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import { shortened, startOf } from './document.ts';
import * as statements from './publication-statements.ts';
import type { ServerJson } from './server-json.ts';
import type { EntryStatus } from './statements.ts';
import { latestOf } from './version-order.ts';

type Transaction = Pick<Database, 'query'>;

/** A version to be published. */
export interface Publication {
  readonly document: ServerJson;
  /** The document as it was written; made from it if left out. */
  readonly text?: string;
  readonly status: EntryStatus;
  readonly statusMessage: string | null;
  /** Now if left out. */
  readonly publishedAt?: Date | undefined;
}

/** Whose servers become of publications. */
export interface Owner {
  readonly profileUuid: string;
  /** The user, and the repository that the user has proved to own; null for a name without an owner. */
  readonly proof: { readonly userUuid: string; readonly repositoryId: string; readonly serverUuid: string } | null;
}

/** The registry while it is held: the next place in the feed, and an instant that never goes back. */
export interface Held {
  readonly now: Date;
  next(count?: number): bigint;
}

export interface PublicationDependencies extends Pick<Platform, 'clock'> {
  /** What names a server in addresses, as for servers that users add. */
  readonly slugOf: (name: string, uuid: string) => string;
  /** Whether an address may be called from here. */
  readonly isReachable: (url: string) => boolean;
}

export const keyOf = (name: string): string => name.toLowerCase();

/** Writes to the registry. A writer locks it until the commit, so that the feed is in the order of the commits. */
export function createPublication({ clock, slugOf, isReachable }: PublicationDependencies) {
  /**
   * @param work Runs under the lock.
   * @param isIndexed Whether it publishes, for `last_indexed`.
   */
  async function holding<Result>(
    tx: Transaction,
    isIndexed: boolean,
    work: (held: Held) => Promise<Result>,
  ): Promise<Result> {
    const [state] = await tx.query<{ seq: string; updated_at: Date | null }>(statements.hold());
    let seq = BigInt(state?.seq ?? 0);
    const now = new Date(Math.max(clock.now().getTime(), state?.updated_at?.getTime() ?? 0));
    const result = await work({
      now,
      next(places = 1) {
        const first = seq + 1n;
        seq += BigInt(places);
        return first;
      },
    });
    await tx.query(statements.release(seq, now, isIndexed));
    return result;
  }

  /**
   * Publishes versions of servers, each name and version at most once, in a number of statements that does not depend on how many.
   *
   * @param publications None of a name that another user owns: the caller checks that.
   * @returns Those that have changed anything.
   */
  async function publish(tx: Transaction, held: Held, owner: Owner, publications: readonly Publication[]) {
    const servers = await serversOf(tx, held, publications);
    const uuidOf = (name: string) => servers.get(keyOf(name)) as string;
    const rows = publications.map(({ document, text, status, statusMessage, publishedAt }) => ({
      registry_uuid: uuidOf(document.name),
      version: document.version,
      document: text ?? JSON.stringify(document),
      status,
      status_message: statusMessage,
      published_at: publishedAt ?? held.now,
      seq: String(held.next()),
    }));
    const changed = await tx.query<{ registry_uuid: string; version: string }>(statements.putVersions(rows, held.now));
    // A server may have a new owner although its document is unchanged.
    const claimed = owner.proof ? [...servers.values()] : [];
    const touched = [...new Set([...claimed, ...changed.map(({ registry_uuid }) => registry_uuid)])];
    if (touched.length > 0) {
      await settleLatest(tx, held, touched);
      await show(tx, held, owner, touched);
    }
    if (owner.proof)
      for (const uuid of claimed)
        await tx.query(statements.claim(uuid, owner.proof.userUuid, owner.proof.repositoryId, owner.proof.serverUuid));
    const isChanged = new Set(changed.map(({ registry_uuid, version }) => `${registry_uuid} ${version}`));
    return publications.filter(({ document: { name, version } }) => isChanged.has(`${uuidOf(name)} ${version}`));
  }

  /** The entries of names by their keys; those that are new are made. */
  async function serversOf(tx: Transaction, held: Held, publications: readonly Publication[]) {
    const names = new Map(publications.map(({ document: { name } }) => [keyOf(name), name]));
    const rows = await tx.query<statements.RegistryServerRow>(statements.serversByName([...names.keys()]));
    const servers = new Map(rows.map(({ uuid, name_key }) => [name_key, uuid]));
    const added = [...names]
      .filter(([key]) => !servers.has(key))
      .map(([name_key, name]) => ({ uuid: randomUUID(), name, name_key }));
    for (const { uuid, name_key } of added) servers.set(name_key, uuid);
    if (added.length > 0) await tx.query(statements.addServers(added, held.now));
    return servers;
  }

  /** Marks the latest version of each server; who becomes it, or is it no more, has changed. */
  async function settleLatest(tx: Transaction, held: Held, uuids: readonly string[]): Promise<void> {
    const rows = await tx.query<statements.StandingRow>(statements.standing(uuids));
    const changes = [...Map.groupBy(rows, ({ registry_uuid }) => registry_uuid).values()].flatMap((versions) => {
      const dated = versions.map((row) => ({ ...row, publishedAt: row.published_at }));
      const latest = latestOf(dated)?.version;
      return versions
        .filter(({ version, is_latest }) => is_latest !== (version === latest))
        .map(({ registry_uuid, version, is_latest }) => ({
          registry_uuid,
          version,
          is_latest: !is_latest,
          seq: String(held.next()),
        }));
    });
    if (changes.length > 0) await tx.query(statements.setLatest(changes, held.now));
  }

  /** Makes the servers of some names what their latest documents say. */
  async function show(tx: Transaction, held: Held, owner: Owner, uuids: readonly string[]): Promise<void> {
    const rows = await tx.query<{
      uuid: string;
      name: string;
      server_uuid: string | null;
      document: string;
      status: EntryStatus;
    }>(statements.latestDocuments(uuids));
    const shown = rows.map(({ uuid: registryUuid, server_uuid, document: text, status }) => {
      const document = JSON.parse(text) as ServerJson;
      const uuid = owner.proof?.serverUuid ?? server_uuid ?? randomUUID();
      return shownServer(document, {
        registryUuid,
        uuid,
        profileUuid: owner.profileUuid,
        isPublic: status !== 'deleted',
      });
    });
    await tx.query(statements.holdShown(shown.map(({ uuid }) => uuid)));
    await tx.query(statements.showServers(shown, held.now));
  }

  function shownServer(
    document: ServerJson,
    {
      registryUuid,
      uuid,
      profileUuid,
      isPublic,
    }: { registryUuid: string; uuid: string; profileUuid: string; isPublic: boolean },
  ): statements.ShownServer {
    const { transport, transports, command, args, url, packageType, environmentVariables } = startOf(
      document,
      isReachable,
    );
    const repositoryUrl = document.repository?.url;
    const ownName = document.name.slice(document.name.indexOf('/') + 1);
    return {
      registry_uuid: registryUuid,
      uuid,
      profile_uuid: profileUuid,
      slug: slugOf(ownName, uuid),
      name: line(ownName, 255),
      title: document.title === undefined ? null : line(document.title, 255),
      description: document.description,
      transport,
      transports,
      command: command === null ? null : line(command, 4_096),
      args,
      url,
      env_names: environmentVariables,
      is_public: isPublic,
      package_type: packageType,
      repository_url: isHttpUrl(repositoryUrl) ? line(repositoryUrl, 2_048) : null,
      version: line(document.version, 100),
    };
  }

  /**
   * Changes the status of all versions of servers that have one of some.
   *
   * @returns Whether anything has changed.
   */
  async function setStatus(
    tx: Transaction,
    held: Held,
    uuids: readonly string[],
    change: { from: readonly EntryStatus[]; to: EntryStatus; message: string | null },
  ): Promise<boolean> {
    const rows = await tx.query<statements.StandingRow>(statements.standing(uuids));
    const affected = rows.filter(({ status }) => change.from.includes(status)).length;
    if (affected === 0) return false;
    // One less: places are counted from one.
    const before = held.next(affected) - 1n;
    await tx.query(statements.setStatus(uuids, change.from, change.to, change.message, before, held.now));
    await settleLatest(tx, held, uuids);
    return true;
  }

  return { holding, publish, setStatus };
}

export type PublicationDesk = ReturnType<typeof createPublication>;

/** One line of at most so many characters. */
const line = (text: string, max: number) => shortened(text.replace(/\p{Cc}+/gu, ' '), max);
