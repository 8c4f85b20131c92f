import type { Egress } from '../platform/egress/egress.ts';
import { createCatalogue } from './catalogue.ts';
import { createGithub, type GithubSettings } from './github.ts';
import { createGithubOauth, type LinkExchanges } from './github-oauth.ts';
import { createImports } from './imports.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLinks, type LinkDependencies } from './links.ts';
import { createProofs } from './proof.ts';
import { createPublication } from './publication.ts';
import { createReviews, type ReviewDependencies } from './reviews.ts';
import { createSubmissions } from './submissions.ts';

export type RegistryDependencies = Omit<LinkDependencies, 'github' | 'oauth'> &
  Pick<ReviewDependencies, 'outbox' | 'notify'> & {
    readonly egress: Pick<Egress, 'request' | 'validateUrl'>;
    readonly githubSettings: GithubSettings;
    readonly exchanges: LinkExchanges;
    /** What names a server in addresses (src/mcp-servers). */
    readonly slugOf: (name: string, uuid: string) => string;
    /** The profile of an account of the platform's own. */
    readonly profileOf: (username: string) => Promise<string>;
    /** The product's. */
    readonly version: string;
  };

export type Registry = ReturnType<typeof createRegistry>;

/** The registry: servers with verified owners, and imported ones. Source: docs/specification/registry.md. */
export function createRegistry(deps: RegistryDependencies) {
  const { egress, githubSettings: settings, slugOf } = deps;
  const github = createGithub({ egress, settings });
  const links = createLinks({ ...deps, github, oauth: createGithubOauth({ exchanges: deps.exchanges, settings }) });
  const proofs = createProofs({ github });
  const isReachable = (url: string) => egress.validateUrl(url).mistake === undefined;
  const publication = createPublication({ ...deps, isReachable });
  const submissions = createSubmissions({ ...deps, links, proofs, publication, slugOf, githubUrl: settings.url });
  return {
    catalogue: createCatalogue(deps),
    links,
    submissions,
    reviews: createReviews({ ...deps, links, proofs, publication, shaped: submissions.shaped }),
    lifecycle: createLifecycle({ ...deps, publication }),
    imports: createImports({ ...deps, publication }),
  };
}
