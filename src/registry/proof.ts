import { Refusal } from '../platform/errors.ts';
import { documentOf, type Usage } from './document.ts';
import type { Github, GithubRepository } from './github.ts';
import type { UsableAccount } from './links.ts';
import { type Manifest, manifestBytesMax, manifestFiles, readManifest } from './manifest.ts';
import type { RepositoryName } from './repository.ts';
import type { ServerJson } from './server-json.ts';

export interface Proof {
  readonly repository: GithubRepository;
  readonly document: ServerJson;
}

/** The same for a repository that does not exist, one that the user cannot see, and one of somebody else's. */
const notOwned = () =>
  new Refusal('FORBIDDEN', 'Your linked GitHub account does not own this repository, or there is none of that name');

const invalid = (message: string) =>
  new Refusal('VALIDATION_ERROR', 'Validation error', { details: { repository: message } });

/** Whether an account owns a repository: it is the account's, or GitHub says that it may administer it. */
const owns = (account: Pick<UsableAccount, 'githubId'>, repository: GithubRepository): boolean =>
  repository.isAdmin || repository.ownerId === account.githubId;

/** What judges submissions by asking the provider, at the time of asking (H04). */
export function createProofs({ github }: { github: Github }) {
  /**
   * That an account owns a repository which is a package of a type.
   *
   * Forks and archives are refused: a fork has the manifest of another's package, and what is archived will not be mended.
   *
   * @throws {Refusal} `FORBIDDEN` for a repository that is not the account's; `VALIDATION_ERROR` for one that cannot be in the
   *   registry, or has no manifest of the type; `UNAVAILABLE` while GitHub has no answer.
   */
  async function prove(account: UsableAccount, name: RepositoryName, usage: Usage): Promise<Proof> {
    const repository = await github.repository(account.token, name);
    if (repository === 'moved') throw invalid('repository was renamed or transferred: give its present name');
    if (repository === null || !owns(account, repository)) throw notOwned();
    if (repository.isPrivate) throw invalid('repository must be public');
    if (repository.isFork) throw invalid('repository must not be a fork');
    if (repository.isArchived) throw invalid('repository must not be archived');
    const manifest = await manifestOf(account, repository, usage);
    return { repository, document: documentOf(repository, manifest, usage) };
  }

  async function manifestOf(
    account: UsableAccount,
    repository: GithubRepository,
    { packageType }: Usage,
  ): Promise<Manifest> {
    const files = manifestFiles[packageType];
    for (const path of files) {
      const file = await github.file(account.token, repository, path, manifestBytesMax);
      if (file === null) continue;
      const manifest = file === 'large' ? null : readManifest(path, file.text);
      if (manifest === null) throw invalid(`repository has a ${path} that is not valid, or is larger than 256 kB`);
      return manifest;
    }
    throw invalid(`repository has no ${files.join(' or ')}, which a package of type ${packageType} needs`);
  }

  /** The same repository by its number, if the account owns it still. @returns null if not. */
  async function again(account: UsableAccount, repositoryId: bigint): Promise<GithubRepository | null> {
    const repository = await github.repositoryById(account.token, repositoryId);
    if (repository === 'moved' || repository === null) return null;
    return BigInt(repository.id) === repositoryId && owns(account, repository) && !repository.isPrivate
      ? repository
      : null;
  }

  return { prove, again };
}

export type Proofs = ReturnType<typeof createProofs>;
