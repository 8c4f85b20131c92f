import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Story } from './story.ts';

/** As a dump of the official registry has them. */
const documents = [
  npm('io.github.microsoft/playwright-mcp', '@playwright/mcp', '0.0.41', 'Browser automation by accessibility trees'),
  npm('io.github.upstash/context7', '@upstash/context7-mcp', '1.0.20', 'Documentation of libraries, up to date'),
  npm('io.github.firecrawl/firecrawl-mcp-server', 'firecrawl-mcp', '3.2.1', 'Crawls and reads web sites'),
  npm('io.github.getsentry/sentry-mcp', '@sentry/mcp-server', '0.18.0', 'Issues, traces and releases of Sentry'),
  remote('com.notion/mcp', 'https://mcp.notion.com/mcp', '1.0.1', 'Pages and databases of Notion'),
  remote('app.linear/linear', 'https://mcp.linear.app/mcp', '1.0.0', 'Issues, projects and cycles of Linear'),
];

function npm(name: string, identifier: string, version: string, description: string) {
  const packages = [{ registryType: 'npm', identifier, version, transport: { type: 'stdio' } }];
  return { ...common(name, version, description), packages };
}

function remote(name: string, url: string, version: string, description: string) {
  return { ...common(name, version, description), remotes: [{ type: 'streamable-http', url }] };
}

function common(name: string, version: string, description: string) {
  const $schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
  return { $schema, name, description, version };
}

/** The registry has taken up a dump. */
export function addRegistry({ at }: Story): void {
  at(26, ({ services }) => services.registry.imports.run(Readable.from([Buffer.from(JSON.stringify(documents))])));
}

/** A submission that was rejected: a sample needs no request to GitHub. */
export function addSubmission({ at }: Story): void {
  at(9, async ({ database, clock, as }) => {
    const { userUuid, profileUuid } = as('owner').principal as { userUuid: string; profileUuid: string };
    const repository = `sample/weather-${profileUuid.slice(0, 8)}`;
    const name = `io.github.${repository}`;
    const now = clock.now();
    await database.prisma.registrySubmission.create({
      data: {
        uuid: randomUUID(),
        userUuid,
        profileUuid,
        // GitHub's numbers are positive.
        repositoryId: -BigInt(`0x${profileUuid.replaceAll('-', '').slice(0, 15)}`),
        repository,
        packageType: 'npm',
        transports: ['stdio'],
        environmentVariables: [],
        name,
        version: '0.1.0',
        document: JSON.stringify(common(name, '0.1.0', 'The weather, as an example')),
        status: 'rejected',
        reason: 'A sample: the repository does not exist.',
        decidedAt: now,
        createdAt: now,
        submittedAt: now,
      },
    });
  });
}
