import type { Client } from 'pg';

const tables = [
  'users',
  'projects',
  'profiles',
  'api_keys',
  'sessions',
  'sign_in_networks',
  'clipboard_entries',
  'notifications',
  'webhooks',
  'webhook_deliveries',
  'webhook_events',
  'user_profiles',
  'user_follows',
  'mcp_servers',
  'mcp_installations',
  'documents',
  'document_versions',
  'document_files',
  'document_attributions',
  'document_usage',
  'document_chunks',
  'collections',
  'collection_servers',
  'registry_servers',
  'registry_versions',
  'registry_submissions',
  'registry_state',
  'github_accounts',
  'oauth_sessions',
  'oauth_clients',
  'oauth_pkce_states',
  'oauth_server_settings',
  'oauth_security_events',
  'oauth_reports',
  'oauth_report_hosts',
];

/**
 * Notes every change of a row from now on, so that `stored` costs as much as has changed, and not as much as there is. The changes of a row
 * that is as it was before are none, and neither is the time at which something was used last.
 */
export async function noteChanges(database: Client): Promise<void> {
  await database.query(`
    CREATE TABLE noted_changes (name text NOT NULL, hash bigint NOT NULL);
    CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP <> 'INSERT' THEN
        INSERT INTO noted_changes VALUES (TG_TABLE_NAME, hashtextextended((to_jsonb(OLD) - 'last_used_at')::text, 0));
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO noted_changes VALUES (TG_TABLE_NAME, hashtextextended((to_jsonb(NEW) - 'last_used_at')::text, 0));
      END IF;
      RETURN NULL;
    END $$;
    ${tables
      .map(
        (table) =>
          `CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_change();`,
      )
      .join('\n')}`);
}

/**
 * A digest of all rows that are stored, over a database whose changes are noted: a line for each table that has ever changed. What comes
 * and goes again cancels out.
 */
export async function stored(database: Client): Promise<string> {
  const { rows } = await database.query<{ name: string; digest: string }>({
    name: 'stored',
    // What has cancelled out need not be added up again.
    text: `WITH noted AS (DELETE FROM noted_changes RETURNING name, hash),
        digests AS (SELECT name, bit_xor(hash) AS digest FROM noted GROUP BY name HAVING bit_xor(hash) <> 0),
        kept AS (INSERT INTO noted_changes SELECT name, digest FROM digests)
      SELECT name, digest FROM digests ORDER BY name`,
  });
  return rows.map(({ name, digest }) => `${name} ${digest}`).join('\n');
}
