import { fillBy, type GrowthArea, get, graphql } from './stage.ts';

/** As many as the limits of an account allow. */
const keysOwn = 200;
const profilesOwn = 100;
const projectsOwn = 100;

/** API keys, profiles and projects of one account; others have the rest. */
export const auth: GrowthArea = {
  name: 'auth',
  page: 'identity',
  async fill(pool, { owner, own, others }) {
    await fillBy(
      pool,
      `INSERT INTO projects (uuid, user_uuid, name, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'project ' || n, now(), now() FROM generate_series(2, least($2::int, ${projectsOwn})) n`,
      [owner.userUuid, own],
    );
    await fillBy(
      pool,
      `INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'profile ' || n, now(), now() FROM generate_series(2, least($2::int, ${profilesOwn})) n`,
      [owner.projectUuid, own],
    );
    const key = `gen_random_uuid(), 'key ' || number.n, 'pbk_growth', sha256(uuid_send(gen_random_uuid())), '{read}', now()`;
    await fillBy(
      pool,
      `INSERT INTO api_keys (profile_uuid, uuid, name, prefix, key_hash, scopes, created_at)
        SELECT $1, ${key} FROM generate_series(2, least($2::int, ${keysOwn})) number (n)`,
      [owner.profileUuid, own],
    );
    await fillBy(
      pool,
      `INSERT INTO api_keys (profile_uuid, uuid, name, prefix, key_hash, scopes, created_at)
        SELECT c.profile_uuid, ${key} FROM generate_series(1, $1::int) number (n)
        JOIN crowd c ON c.n = number.n % (SELECT count(*) FROM crowd)`,
      [others],
    );
  },
  operations: async () => [
    { name: 'session', calls: [get('/api/auth/session')] },
    { name: 'projects', calls: [get('/api/projects?limit=20')] },
    { name: 'profiles', calls: [get('/api/profiles?limit=20')] },
    { name: 'keys', calls: [get('/api/api-keys?limit=20')] },
    {
      name: 'connections',
      calls: [
        graphql(`{ projects(first: 20) { nodes { name profiles(first: 1) { nodes { name } totalCount } } totalCount }
          profiles(first: 20) { nodes { name apiKeys(first: 1) { nodes { name } totalCount } } totalCount }
          apiKeys(first: 20) { nodes { name } totalCount } }`),
      ],
    },
  ],
};
