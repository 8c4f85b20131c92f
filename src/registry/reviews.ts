import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { EventPayloads } from '../event-catalogue/index.ts';
import type { Notifications } from '../notifications/index.ts';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import type { Outbox } from '../platform/messaging/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { Reason, Seen } from './input.ts';
import type { Links } from './links.ts';
import type { Proofs } from './proof.ts';
import type { Held, PublicationDesk } from './publication.ts';
import * as publications from './publication-statements.ts';
import { registryNameOf } from './repository.ts';
import type { ServerJson } from './server-json.ts';
import * as statements from './statements.ts';
import { type Submission, submissionNotFound } from './submissions.ts';

export interface ReviewDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly outbox: Outbox<EventPayloads>;
  readonly notify: Notifications['notify'];
  readonly links: Pick<Links, 'asking'>;
  readonly proofs: Pick<Proofs, 'again'>;
  readonly publication: Pick<PublicationDesk, 'holding' | 'publish' | 'setStatus'>;
  readonly shaped: (row: statements.SubmissionRow) => Submission;
}

const notDecidable = (message: string) => new ApiError('CONFLICT', message);
const decided = () => notDecidable('The submission was decided or changed in the meantime: read it again');

const notSeen = () => notDecidable('The submission has changed: read it again, and send its new digest');

/** Reviews of submissions by administrators. */
export function createReviews(deps: ReviewDependencies) {
  const { database, clock, outbox, notify, links, proofs, publication, shaped } = deps;

  /**
   * Publishes a submission: the server becomes public, and belongs to the submitter's profile. Ownership is verified
   * again, by the repository's number; a repository that was renamed or transferred must be submitted again.
   *
   * @param input.digest Of the submission that the administrator reviewed: a later submission is not accepted.
   * @throws {ApiError} `NOT_FOUND` also for callers who are not administrators; `CONFLICT` for a decided submission,
   * for another digest, for a lost ownership, and for a disabled user; `VALIDATION_ERROR`; `UNAVAILABLE` while GitHub
   * does not respond.
   */
  async function accept(caller: Caller, uuid: string, input: z.input<typeof Seen>): Promise<Submission> {
    const waiting = await pending(caller, uuid);
    const { digest } = parse(Seen, input);
    if (shaped(waiting).digest !== digest) throw notSeen();
    const notOwned = () => notDecidable('The submitter no longer owns the repository, or must link GitHub again');
    const repository = await links.asking(waiting.user_uuid, notOwned, (account) =>
      proofs.again(account, BigInt(waiting.repository_id)),
    );
    if (repository === null) throw notOwned();
    if (registryNameOf(repository) !== waiting.name)
      throw notDecidable('The repository was renamed since: it must be submitted again');
    const { row, announce } = await database.transaction((tx) =>
      publication.holding(tx, true, async (held) => {
        const [row] = await tx.query<statements.SubmissionRow>(
          statements.decide(uuid, waiting.submitted_at, 'accepted', null, held.now),
        );
        if (!row) throw decided();
        // Two submissions may have the same instant.
        if (shaped(row).digest !== digest) throw notSeen();
        if ((await tx.query(statements.isDisabled(row.user_uuid))).length > 0)
          throw notDecidable("The submitter's account is disabled: the submission can only be rejected");
        const { serverUuid, profileUuid } = await publish(tx, held, row);
        const changes = { source: 'registry', is_public: true, version: row.version };
        await outbox.write(tx, {
          profileUuid,
          type: 'server.updated',
          data: { server_uuid: serverUuid, changes },
        });
        const message = `"${row.name}" ${row.version} is in the registry now.`;
        return { row, announce: await notifyPublisher(tx, row, 'SUCCESS', message, serverUuid) };
      }),
    );
    outbox.wake();
    announce();
    return shaped(row);
  }

  /** @returns The server that stands for it from now on, and whose it is. */
  async function publish(
    tx: Database,
    held: Held,
    row: statements.SubmissionRow,
  ): Promise<{ serverUuid: string; profileUuid: string }> {
    const key = row.name.toLowerCase();
    const [byName] = await tx.query<publications.RegistryServerRow>(publications.serversByName([key]));
    const [byId] = await tx.query<publications.RegistryServerRow>(publications.serverOfRepository(row.repository_id));
    const concerned = [byName?.server_uuid, byId?.server_uuid, row.uuid].flatMap((uuid) => uuid ?? []);
    const servers = await tx.query<publications.HeldServerRow>(publications.holdServers(concerned));
    const isNameOwn = byName?.owner_uuid === row.user_uuid;
    const isRepositoryOwn = byId?.owner_uuid === row.user_uuid;
    if (byName && byName.owner_uuid !== null && !isNameOwn)
      await retire(tx, held, byName, 'The name belongs to another repository now', true);
    if (byId && byId.uuid !== byName?.uuid) await retire(tx, held, byId, `Renamed to ${row.name}`, !isRepositoryOwn);
    // What the submitter's server was under a former name goes on under the new one, and an imported one becomes the submitter's.
    const former = isRepositoryOwn ? byId.server_uuid : null;
    const standing = byName && (isNameOwn || byName.owner_uuid === null) ? byName.server_uuid : null;
    // An id that another user's server has by now is not this one's, nor is that of a server of another name.
    const isTaken = servers.some(
      ({ uuid, user_uuid, registry_uuid }) =>
        uuid === row.uuid &&
        (user_uuid !== row.user_uuid || (registry_uuid !== null && registry_uuid !== byName?.uuid)),
    );
    const serverUuid = former ?? standing ?? (isTaken ? randomUUID() : row.uuid);
    // A server stays in its owner's profile, with the private data of that profile.
    const own = servers.find(({ uuid, user_uuid }) => uuid === serverUuid && user_uuid === row.user_uuid);
    const profileUuid = own?.profile_uuid ?? row.profile_uuid;
    const document = JSON.parse(row.document) as ServerJson;
    await publication.publish(
      tx,
      held,
      {
        profileUuid,
        proof: { userUuid: row.user_uuid, repositoryId: row.repository_id, serverUuid },
      },
      [{ document, text: row.document, status: 'active', statusMessage: null }],
    );
    if (standing !== null && standing !== serverUuid) await tx.query(publications.hideServers([standing], held.now));
    return { serverUuid, profileUuid };
  }

  /**
   * Removes a name from its owner: its listed versions are deleted, and no server stands for it.
   *
   * @param isHidden Whether to hide its server, too.
   */
  async function retire(
    tx: Database,
    held: Held,
    { uuid, server_uuid: serverUuid }: publications.RegistryServerRow,
    message: string,
    isHidden: boolean,
  ): Promise<void> {
    await publication.setStatus(tx, held, [uuid], { from: ['active', 'deprecated'], to: 'deleted', message });
    await tx.query(publications.claim(uuid, null, null, null));
    if (isHidden && serverUuid !== null) await tx.query(publications.hideServers([serverUuid], held.now));
  }

  /**
   * Rejects a submission. Its submitter sees the reason, and may submit again.
   *
   * @param input.reason 1 to 500 characters.
   * @throws {ApiError} As for `accept`; `VALIDATION_ERROR`.
   */
  async function reject(caller: Caller, uuid: string, input: z.input<typeof Reason>): Promise<Submission> {
    const waiting = await pending(caller, uuid);
    const { reason } = parse(Reason, input);
    const { row, announce } = await database.transaction(async (tx) => {
      const [row] = await tx.query<statements.SubmissionRow>(
        statements.decide(uuid, waiting.submitted_at, 'rejected', reason, clock.now()),
      );
      if (!row) throw decided();
      const message = `"${row.name}" ${row.version} was not taken into the registry: ${reason}`;
      return { row, announce: await notifyPublisher(tx, row, 'WARNING', message, null) };
    });
    announce();
    return shaped(row);
  }

  async function pending(caller: Caller, uuid: string): Promise<statements.SubmissionRow> {
    const { isAdmin } = authorize(caller, 'registry:review');
    const [row] =
      isAdmin && isUuid(uuid) ? await database.query<statements.SubmissionRow>(statements.submission(uuid)) : [];
    if (!row) throw submissionNotFound();
    if (row.status !== 'pending') throw decided();
    return row;
  }

  const notifyPublisher = (
    tx: Database,
    row: statements.SubmissionRow,
    kind: 'SUCCESS' | 'WARNING',
    message: string,
    serverUuid: string | null,
  ) =>
    notify(tx, row.profile_uuid, {
      type: kind,
      severity: kind,
      title: 'Registry',
      message,
      metadata: serverUuid === null ? {} : { server_id: serverUuid },
    });

  return { accept, reject };
}
