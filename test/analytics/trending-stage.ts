import { randomUUID } from 'node:crypto';
import type { Caller } from '../../src/platform/caller.ts';
import { signUp, type TestServices } from '../support/services.ts';

export const hourMs = 3_600_000;

/** What tests of trends do with servers and users. */
export function trendingStage({ services, database }: Pick<TestServices, 'services' | 'database'>) {
  const { configurations, usage } = services.mcpServers;
  const { trending } = services.analytics;
  return {
    configurations,
    usage,
    trending,
    someone: () => signUp(services),
    /** So many users, by SQL: a password of each would take its time. */
    async crowd(size: number): Promise<Caller[]> {
      const callers: Caller[] = [];
      for (let each = 0; each < size; each++) {
        const [userUuid, projectUuid, profileUuid] = [randomUUID(), randomUUID(), randomUUID()];
        await database.query({
          text: `WITH u AS (
              INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
              VALUES ($1::uuid, $4, $4, $4, $4, '', now(), now())),
            j AS (INSERT INTO projects (uuid, user_uuid, name, created_at, updated_at) VALUES ($2::uuid, $1::uuid, 'p', now(), now()))
            INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at) VALUES ($3::uuid, $2::uuid, 'p', now(), now())`,
          values: [userUuid, projectUuid, profileUuid, userUuid.slice(0, 18)],
        });
        const scopes = new Set(['read', 'write'] as const);
        const principal = {
          kind: 'key',
          credentialUuid: randomUUID(),
          userUuid,
          projectUuid,
          profileUuid,
          scopes,
        } as const;
        callers.push({
          principal: { ...principal, source: 'sdk', isAdmin: false, tier: 'free' },
          address: '192.0.2.1',
        });
      }
      return callers;
    },
    /** So many more profiles of a user. */
    async profilesOf({ principal, address }: Caller, size: number): Promise<Caller[]> {
      if (principal === null) throw new Error('nobody');
      const rows = await database.query<{ uuid: string }>({
        text: `INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at)
          SELECT gen_random_uuid(), $1, 'p', now(), now() FROM generate_series(1, $2) RETURNING uuid`,
        values: [principal.projectUuid, size],
      });
      return rows.map(({ uuid }) => ({ principal: { ...principal, profileUuid: uuid }, address }));
    },
    /** All that the roll-up keeps, in a fixed order. */
    async kept() {
      return {
        servers: await database.query({ text: 'SELECT * FROM trending_servers ORDER BY server_uuid, timeframe' }),
        tallies: await database.query({
          text: 'SELECT * FROM trending_tallies ORDER BY timeframe, is_before, list, step, bucket',
        }),
      };
    },
    /** Forgets all that the roll-up keeps, and adds everything up anew. */
    async rebuild(): Promise<void> {
      for (const table of ['trending_servers', 'trending_tallies'])
        await database.query({ text: `DELETE FROM ${table}` });
      await database.query({
        text: 'INSERT INTO mcp_server_touches (server_uuid) SELECT uuid FROM mcp_servers ON CONFLICT DO NOTHING',
      });
      await trending.rollUp();
    },
    /** A public server. @returns Its uuid. */
    async shown(owner: Caller, over: { name?: string; category?: string } = {}): Promise<string> {
      const { uuid } = await configurations.create(owner, { name: 'x', command: 'npx', ...over });
      await configurations.setVisibility(owner, uuid, { isPublic: true });
      return uuid;
    },
    /** A user installs a server and calls it. */
    async used(caller: Caller, uuid: string): Promise<void> {
      await usage.install(caller, uuid);
      await usage.report(caller, uuid, { action: 'tool_call' });
    },
    /** The list after a roll-up. */
    async list(caller: Caller, input: Parameters<typeof trending.connection>[1] = {}) {
      await trending.rollUp();
      const { edges } = await trending.connection(caller, { first: 100, ...input });
      return edges.map(({ node }) => node);
    },
  };
}
