-- CreateTable
CREATE TABLE "registry_orphans" (
    "registry_uuid" UUID NOT NULL,

    CONSTRAINT "registry_orphans_pkey" PRIMARY KEY ("registry_uuid")
);

-- Who hides or deletes a server leaves a note for the job that writes the tombstone: it does not look through the registry for them.
CREATE FUNCTION registry_note_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO registry_orphans (registry_uuid) SELECT uuid FROM registry_servers WHERE server_uuid = NEW.uuid
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER registry_note_hidden AFTER UPDATE OF is_public ON "mcp_servers" FOR EACH ROW
  WHEN (OLD.is_public AND NOT NEW.is_public) EXECUTE FUNCTION registry_note_hidden();

-- Deleting a server takes it from its name (ON DELETE SET NULL).
CREATE FUNCTION registry_note_unsupported() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM mcp_servers WHERE uuid = NEW.server_uuid AND is_public) THEN
    INSERT INTO registry_orphans (registry_uuid) VALUES (NEW.uuid) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER registry_note_unsupported AFTER UPDATE OF server_uuid ON "registry_servers" FOR EACH ROW
  WHEN (OLD.server_uuid IS DISTINCT FROM NEW.server_uuid) EXECUTE FUNCTION registry_note_unsupported();

INSERT INTO registry_orphans (registry_uuid)
SELECT r.uuid FROM registry_servers r LEFT JOIN mcp_servers s ON s.uuid = r.server_uuid
WHERE s.is_public IS NOT TRUE
  AND EXISTS (SELECT 1 FROM registry_versions v WHERE v.registry_uuid = r.uuid AND v.status <> 'deleted');

-- How many servers are listed is kept by what changes it: whoever writes holds registry_state already, and counting all of them
-- would hold up the others. A job counts anew every night.
CREATE FUNCTION registry_count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  delta integer := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    delta := delta - (SELECT count(*) FROM gone WHERE is_latest AND status <> 'deleted');
  END IF;
  IF TG_OP <> 'DELETE' THEN
    delta := delta + (SELECT count(*) FROM come WHERE is_latest AND status <> 'deleted');
  END IF;
  IF delta <> 0 THEN
    UPDATE registry_state SET total_servers = total_servers + delta WHERE id = 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER registry_count_come AFTER INSERT ON "registry_versions"
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION registry_count_listed();
CREATE TRIGGER registry_count_changed AFTER UPDATE ON "registry_versions"
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION registry_count_listed();
CREATE TRIGGER registry_count_gone AFTER DELETE ON "registry_versions"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION registry_count_listed();
