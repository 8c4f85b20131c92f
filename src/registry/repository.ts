/** A repository by its name: the two parts as they were given. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** As GitHub has them: letters, digits and single hyphens within. */
export const ownerPattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;
/** What the parts of a path could be taken for is no name. */
export const namePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

/**
 * Reads `owner/name`, or the address of a repository on the one host that is configured. Which host is called is never taken
 * from here (H04): what comes out are two names, which go percent-encoded into a path.
 *
 * @param githubUrl Where repositories are, such as https://github.com.
 * @returns null for everything else, also for addresses of other hosts, with a user, a port, a query or further parts.
 */
export function repositoryOf(text: string, githubUrl: string): RepositoryName | null {
  const prefix = `${githubUrl.replace(/\/$/, '')}/`;
  const isAddress = text.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  const [owner = '', name = '', ...rest] = (isAddress ? text.slice(prefix.length) : text).split('/');
  // `git clone` takes both endings, and people copy them.
  const bare = name.replace(/\.git$/, '');
  const isEnded = rest.length === 0 || (isAddress && rest.length === 1 && rest[0] === '');
  return isEnded && ownerPattern.test(owner) && namePattern.test(bare) ? { owner, name: bare } : null;
}

/** What the server of a repository is called in the registry. Source: the official registry, "GitHub namespaces". */
export const registryNameOf = ({ owner, name }: RepositoryName): string => `io.github.${owner}/${name}`;
