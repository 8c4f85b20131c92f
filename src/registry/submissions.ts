import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { oneOf, parse } from '../platform/input/input.ts';
import { type Connection, ConnectionRequest, connectionOf } from '../platform/input/keyset.ts';
import type { Platform } from '../platform/platform.ts';
import { NewSubmission, submissionStatuses } from './input.ts';
import { type Links, notLinked } from './links.ts';
import type { Proof, Proofs } from './proof.ts';
import { keyOf, type PublicationDesk } from './publication.ts';
import * as publications from './publication-statements.ts';
import { type RepositoryName, repositoryOf } from './repository.ts';
import * as statements from './statements.ts';

/** A submission and its state. */
export interface Submission {
  readonly uuid: string;
  readonly profileUuid: string;
  readonly slug: string;
  readonly repository: string;
  readonly packageType: 'npm' | 'docker' | 'pypi';
  readonly transports: readonly ('stdio' | 'sse' | 'http')[];
  readonly environmentVariables: readonly string[];
  readonly name: string;
  readonly version: string;
  readonly document: string;
  /** SHA-256 in hexadecimal of all that will be published. The reviewer sends it back to accept exactly that. */
  readonly digest: string;
  readonly status: 'pending' | 'accepted' | 'rejected';
  readonly reason: string | null;
  readonly decidedAt: Date | null;
  readonly createdAt: Date;
  readonly submittedAt: Date;
}

export interface SubmissionDependencies extends Pick<Platform, 'database'> {
  readonly links: Pick<Links, 'asking'>;
  readonly proofs: Proofs;
  readonly publication: Pick<PublicationDesk, 'holding'>;
  readonly slugOf: (name: string, uuid: string) => string;
  /** Where repositories are. */
  readonly githubUrl: string;
}

const ListRequest = ConnectionRequest.extend({
  status: oneOf('status', submissionStatuses).nullish(),
});

/** The same for one that does not exist, and for a caller that may not see it. */
export const submissionNotFound = () => new ApiError('NOT_FOUND', 'Submission not found');

/** Submissions to the registry. Source: docs/specification/registry.md#submit; docs/hazards.md#h04. */
export function createSubmissions(deps: SubmissionDependencies) {
  const { database, links, proofs, publication, slugOf, githubUrl } = deps;

  /**
   * Submits a repository of the caller's; an administrator decides. Again: the same submission with what the repository says now.
   *
   * @param input.repository `owner/name`, or its address at GitHub.
   * @param input.transport `stdio` if left out.
   * @param input.packageType That of the manifest that is found, if left out.
   * @param input.environmentVariables The names of what a client must set; none if left out.
   * @throws {ApiError} `FORBIDDEN` without a linked account, or for a repository that is not its own; `VALIDATION_ERROR`, also
   *   for a repository without such a manifest; `CONFLICT` for a version that is published with another content, and for a
   *   repository that another of its owners has put into the registry; `UNAVAILABLE` while GitHub has no response.
   * @see docs/specification/registry.md#submit
   */
  async function submit(caller: Caller, input: z.input<typeof NewSubmission>): Promise<Submission> {
    const { userUuid, profileUuid } = authorize(caller, 'registry:write');
    const { repository: given, ...usage } = parse(NewSubmission, input, mistakesOf);
    const name = repositoryOf(given, githubUrl) as RepositoryName;
    const proof = await links.asking(userUuid, notLinked, (account) => proofs.prove(account, name, usage));
    const row = await database.transaction((tx) =>
      publication.holding(tx, false, ({ now }) => write(tx, { userUuid, profileUuid, proof, usage, now })),
    );
    return shaped(row);
  }

  /** The errors in fields of a submission that its schema cannot express. */
  function mistakesOf({ repository }: Partial<z.output<typeof NewSubmission>>) {
    const isOne = repository === undefined || repositoryOf(repository, githubUrl) !== null;
    return {
      repository: isOne ? undefined : `repository must be owner/name, or an address such as ${githubUrl}/owner/name`,
    };
  }

  async function write(
    tx: Pick<Database, 'query'>,
    {
      userUuid,
      profileUuid,
      proof: { repository, packageType, document },
      usage,
      now,
    }: {
      userUuid: string;
      profileUuid: string;
      proof: Proof;
      usage: Omit<z.output<typeof NewSubmission>, 'repository'>;
      now: Date;
    },
  ): Promise<statements.SubmissionRow> {
    const [before] = await tx.query<statements.SubmissionRow>(statements.submissionOf(repository.id));
    const [byId] = await tx.query<publications.RegistryServerRow>(publications.serverOfRepository(repository.id));
    const [byName] = await tx.query<publications.RegistryServerRow>(publications.serversByName([keyOf(document.name)]));
    const text = JSON.stringify(document);
    if (byId && byId.owner_uuid !== null && byId.owner_uuid !== userUuid && (await isListed(tx, byId.name)))
      throw new ApiError('CONFLICT', 'This repository is in the registry already, through another of its owners');
    const [published] = await tx.query<statements.EntryRow>(
      statements.version(keyOf(document.name), document.version, true),
    );
    const isOwn = byName !== undefined && byName.owner_uuid === userUuid;
    if (published && isOwn && published.document !== text)
      throw new ApiError(
        'CONFLICT',
        `Version ${document.version} is published already: raise the version in the manifest, or push a commit where it has none`,
      );
    const isListedNow = published !== undefined && published.status !== 'deleted';
    if (isListedNow && isOwn && before?.user_uuid === userUuid && before.status === 'accepted') return before;
    // Of a former owner without anything in the registry: a new submission has an id that only its submitter knows.
    if (before && before.user_uuid !== userUuid) await tx.query(statements.removeSubmission(before.uuid));
    const kept = before?.user_uuid === userUuid ? before.uuid : undefined;
    const [row] = await tx.query<statements.SubmissionRow>(
      statements.submit({
        uuid: kept ?? randomUUID(),
        user_uuid: userUuid,
        profile_uuid: profileUuid,
        repository_id: repository.id,
        repository: `${repository.owner}/${repository.name}`,
        package_type: packageType,
        transports: usage.transport,
        environment_variables: usage.environmentVariables,
        name: document.name,
        version: document.version,
        document: text,
        now,
      }),
    );
    return row as statements.SubmissionRow;
  }

  const isListed = async (tx: Pick<Database, 'query'>, name: string) =>
    (await tx.query(statements.version(keyOf(name), 'latest', false))).length > 0;

  /**
   * Submissions after a cursor, the newest first: the own profile's, and for administrators all.
   *
   * @param input.status Only those of it.
   */
  async function connection(caller: Caller, input: z.input<typeof ListRequest>): Promise<Connection<Submission>> {
    const seen = seenBy(caller);
    const { status, ...request } = parse(ListRequest, input);
    const rows = await database.query<statements.SubmissionRow>(
      statements.submissions(seen, status ?? null, request.after, request.first),
    );
    return connectionOf(rows.map(shaped), request);
  }

  async function count(caller: Caller, input: Pick<z.input<typeof ListRequest>, 'status'>): Promise<number> {
    const seen = seenBy(caller);
    const { status } = parse(ListRequest, input);
    const [row] = await database.query<{ count: number }>(statements.countSubmissions(seen, status ?? null));
    return row?.count ?? 0;
  }

  /** Pure: a row as others see it. */
  function shaped(row: statements.SubmissionRow): Submission {
    return {
      uuid: row.uuid,
      profileUuid: row.profile_uuid,
      slug: slugOf(row.name.slice(row.name.indexOf('/') + 1), row.uuid),
      repository: row.repository,
      packageType: row.package_type as Submission['packageType'],
      transports: row.transports as Submission['transports'],
      environmentVariables: row.environment_variables,
      name: row.name,
      version: row.version,
      document: row.document,
      digest: digestOf(row),
      status: row.status,
      reason: row.reason,
      decidedAt: row.decided_at,
      createdAt: row.created_at,
      submittedAt: row.submitted_at,
    };
  }

  return { mistakesOf, submit, connection, count, shaped };
}

/** Of all that is published of a submission, and that its submitter can change by submitting again. */
const digestOf = (row: statements.SubmissionRow): string =>
  createHash('sha256')
    .update(JSON.stringify([row.document, row.package_type, row.transports, row.environment_variables]))
    .digest('hex');

/** The user whose submissions the caller sees; null for all. */
function seenBy(caller: Caller): string | null {
  const { profileUuid, isAdmin } = authorize(caller, 'registry:read');
  return isAdmin ? null : profileUuid;
}
