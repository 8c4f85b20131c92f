import { serverAudits } from 'graphql-http';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

const audits = serverAudits({ url: () => `${server.base}/graphql` });

describe('GraphQL over HTTP, as graphql-http audits it', verifies('graph.http'), () => {
  it('passes all 61 audits', () => {
    expect(audits).toHaveLength(61);
    expect(new Set(audits.map(({ id }) => id)).size).toBe(61);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s: %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    const reason = 'reason' in result ? `${result.reason}: ${await result.response.clone().text()}` : '';
    expect(result.status, reason).toBe('ok');
  });
});
