import { ApiError } from '../platform/errors.ts';
import { invalid } from '../platform/input/input.ts';
import { documentOf, type Usage } from './document.ts';
import type { Github, GithubRepository } from './github.ts';
import type { PackageType } from './input.ts';
import type { UsableAccount } from './links.ts';
import { type Manifest, type ManifestFile, manifestBytesMax, manifestFiles, readManifest } from './manifest.ts';
import type { RepositoryName } from './repository.ts';
import type { ServerJson } from './server-json.ts';

export interface Proof {
  readonly repository: GithubRepository;
  /** The type that was asked for, else the type of the manifest that was found. */
  readonly packageType: PackageType;
  readonly document: ServerJson;
}

/** The same for a repository that does not exist, one that the user cannot see, and one of another user. */
const notOwned = () =>
  new ApiError('FORBIDDEN', 'The repository does not exist, or your linked GitHub account does not own it');

/** The repository and the package type of a submission; without a type the manifest decides. */
type AskedUsage = Omit<Usage, 'packageType'> & { readonly packageType?: PackageType | null | undefined };

interface FoundManifest {
  readonly packageType: PackageType;
  readonly path: ManifestFile;
  readonly manifest: Manifest | null;
}

const noManifest = (packageType: PackageType | null): string =>
  packageType === null
    ? `repository has none of ${Object.values(manifestFiles).flat().join(', ')}`
    : `repository has no ${manifestFiles[packageType].join(' or ')}, which a package of type ${packageType} needs`;

const unfit = (message: string) => invalid({ repository: message });

/** Whether an account owns a repository: it is the account's, or GitHub says that it may administer it. */
const owns = (account: Pick<UsableAccount, 'githubId'>, repository: GithubRepository): boolean =>
  repository.isAdmin || repository.ownerId === account.githubId;

/** Verifies submissions by querying the provider at that time (H04). */
export function createProofs({ github }: { github: Github }) {
  /**
   * Verifies that an account owns a repository which is a package of a type, or of any type if none is given.
   *
   * Forks and archives are rejected: a fork has the manifest of another's package, and an archive will not be
   * corrected.
   *
   * @throws {ApiError} `FORBIDDEN` for a repository of another account; `VALIDATION_ERROR` for one that cannot be in
   * the registry, or has no manifest of the type; `UNAVAILABLE` while GitHub does not respond.
   */
  async function prove(account: UsableAccount, name: RepositoryName, usage: AskedUsage): Promise<Proof> {
    const repository = await github.repository(account.token, name);
    if (repository === 'moved') throw unfit('repository was renamed or transferred: use its current name');
    if (repository === null || !owns(account, repository)) throw notOwned();
    if (repository.isPrivate) throw unfit('repository must be public');
    if (repository.isFork) throw unfit('repository must not be a fork');
    if (repository.isArchived) throw unfit('repository must not be archived');
    const asked = usage.packageType ?? null;
    const found = await (asked === null ? anyManifestOf(account, repository) : manifestOf(account, repository, asked));
    if (found === null) throw unfit(noManifest(asked));
    if (found.manifest === null)
      throw unfit(`repository has a ${found.path} that is not valid, or is larger than 256 kB`);
    const { packageType, manifest } = found;
    return { repository, packageType, document: documentOf(repository, manifest, { ...usage, packageType }) };
  }

  /** The first manifest of a type that is there. @returns null where there is none; its `manifest` is null where it is not valid. */
  async function manifestOf(
    account: UsableAccount,
    repository: GithubRepository,
    packageType: PackageType,
  ): Promise<FoundManifest | null> {
    for (const path of manifestFiles[packageType]) {
      const file = await github.file(account.token, repository, path, manifestBytesMax);
      if (file === null) continue;
      return { packageType, path, manifest: file === 'large' ? null : readManifest(path, file.text) };
    }
    return null;
  }

  /**
   * The first valid manifest of any type, else one that is not valid, else null. A package of a language comes before an image:
   * many such packages also have a Dockerfile.
   */
  async function anyManifestOf(account: UsableAccount, repository: GithubRepository): Promise<FoundManifest | null> {
    let notValid: FoundManifest | null = null;
    for (const packageType of ['npm', 'pypi', 'docker'] as const) {
      const found = await manifestOf(account, repository, packageType);
      if (found?.manifest) return found;
      notValid ??= found;
    }
    return notValid;
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
