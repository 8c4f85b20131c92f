import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { newApiKey } from '../../src/auth/api-key-format.ts';
import { secretHash } from '../../src/auth/secret-hash.ts';
import { requestOf } from '../load.ts';
import type { Tenant } from '../seed.ts';

/** A user with one project, one profile and a key. */
export interface Owner extends Tenant {
  readonly userUuid: string;
  readonly projectUuid: string;
  readonly username: string;
}

/** How many rows an area gets. */
export interface Filling {
  readonly owner: Owner;
  /** Rows of the owner; an area with a limit gives it as many as the limit allows. */
  readonly own: number;
  /** Rows of the crowd, where the limits of an area allow the owner no such number; else 0. */
  readonly others: number;
}

/** A request of an operation. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface GrowthOperation {
  /** Also the name in the section `Growth` of the area's page. */
  readonly name: string;
  /** Sent in turn. */
  readonly calls: readonly Call[];
}

export interface GrowthArea {
  readonly name: string;
  /** The page of docs/areas that explains what grows. */
  readonly page: string;
  fill(pool: Pool, filling: Filling): Promise<void>;
  /** The same names for each owner. */
  operations(pool: Pool, filling: Filling): Promise<readonly GrowthOperation[]>;
}

export const get = (path: string): Call => ({ method: 'GET', path });
export const send = (method: string, path: string, body: unknown = {}): Call => ({ method, path, body });
export const graphql = (query: string, variables: Readonly<Record<string, unknown>> = {}): Call =>
  send('POST', '/graphql', { query, variables });

export const bufferOf = ({ method, path, body }: Call, { key }: Tenant): Buffer => requestOf(method, path, key, body);

/** A call for each of some texts. */
export const each = <Item>(items: readonly Item[], call: (item: Item) => Call): Call[] => items.map(call);

/** Runs a statement without triggers and foreign keys: a million rows take seconds then. What triggers count, the areas fill in themselves. */
export async function fillBy(pool: Pool, text: string, values: readonly unknown[] = []): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(text, [...values]);
  } finally {
    await client.query('RESET session_replication_role; RESET synchronous_commit');
    client.release();
  }
}

/** The values of a statement's only column. */
export async function valuesOf<Value>(pool: Pool, text: string, values: readonly unknown[] = []): Promise<Value[]> {
  const { rows } = await pool.query({ text, values: [...values], rowMode: 'array' });
  return rows.map(([value]) => value as Value);
}

export async function newOwner(pool: Pool, username: string): Promise<Owner> {
  const [userUuid, projectUuid, profileUuid] = [randomUUID(), randomUUID(), randomUUID()];
  const key = newApiKey();
  await pool.query(
    `INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, active_profile_uuid, created_at, updated_at)
      VALUES ($1, $2, $2, $3, $3, '-', NULL, now(), now())`,
    [userUuid, `${username}@example.com`, username],
  );
  await pool.query(
    `INSERT INTO projects (uuid, user_uuid, name, created_at, updated_at) VALUES ($1, $2, 'growth', now(), now())`,
    [projectUuid, userUuid],
  );
  await pool.query(
    `INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at) VALUES ($1, $2, 'growth', now(), now())`,
    [profileUuid, projectUuid],
  );
  await pool.query(
    `INSERT INTO api_keys (uuid, profile_uuid, name, prefix, key_hash, scopes, created_at)
      VALUES (gen_random_uuid(), $1, 'growth', 'pbk_growth', $2, '{read,write,admin}', now())`,
    [profileUuid, secretHash(key)],
  );
  return { userUuid, projectUuid, profileUuid, username, key };
}

/** Makes other users, each with one project and profile, and the table `crowd` that names them from 0 on. */
export async function makeCrowd(pool: Pool, size: number): Promise<void> {
  await pool.query(
    `CREATE TABLE crowd AS SELECT n, gen_random_uuid() AS user_uuid, gen_random_uuid() AS project_uuid, gen_random_uuid() AS profile_uuid
      FROM generate_series(0, ${size} - 1) n;
    ALTER TABLE crowd ADD PRIMARY KEY (n);
    INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
      SELECT user_uuid, n || '@crowd', n || '@crowd', 'crowd-' || n, 'crowd-' || n, '-', now(), now() FROM crowd;
    INSERT INTO projects (uuid, user_uuid, name, created_at, updated_at) SELECT project_uuid, user_uuid, 'crowd', now(), now() FROM crowd;
    INSERT INTO profiles (uuid, project_uuid, name, created_at, updated_at) SELECT profile_uuid, project_uuid, 'crowd', now(), now() FROM crowd;
    INSERT INTO user_profiles (user_uuid, is_public) SELECT user_uuid, true FROM crowd`,
  );
}
