/** A repository by its name: the two parts as they were given. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** As on GitHub: letters, digits and single hyphens within. */
export const ownerPattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;
/** Special segments of a path are not names. */
export const namePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

/**
 * Parses `owner/name`, or the address of a repository on the configured host. The host of requests never comes from
 * this text (H04): the result is two names, which are percent-encoded in a path.
 *
 * @param githubUrl Base of repositories, such as https://github.com.
 * @returns null for any other text, also for addresses of other hosts, with a user, a port, a query or further
 * segments.
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
