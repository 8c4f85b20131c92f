-- CreateTable
CREATE TABLE "github_accounts" (
    "user_uuid" UUID NOT NULL,
    "github_id" BIGINT NOT NULL,
    "login" TEXT NOT NULL,
    "token" TEXT,
    "linked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "github_accounts_pkey" PRIMARY KEY ("user_uuid")
);

-- CreateTable
CREATE TABLE "github_link_states" (
    "state_hash" BYTEA NOT NULL,
    "user_uuid" UUID NOT NULL,
    "session_uuid" UUID NOT NULL,
    "verifier" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "github_link_states_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "registry_submissions" (
    "uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "repository_id" BIGINT NOT NULL,
    "repository" TEXT NOT NULL,
    "package_type" TEXT NOT NULL,
    "transports" TEXT[],
    "environment_variables" TEXT[],
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "registry_submissions_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "registry_servers" (
    "uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "server_uuid" UUID,
    "owner_uuid" UUID,
    "repository_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "registry_servers_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "registry_versions" (
    "registry_uuid" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "status_message" TEXT,
    "status_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "is_latest" BOOLEAN NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "registry_versions_pkey" PRIMARY KEY ("registry_uuid","version")
);

-- CreateTable
CREATE TABLE "registry_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3),
    "last_indexed_at" TIMESTAMPTZ(3),
    "total_servers" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "registry_state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "registry_orphans" (
    "registry_uuid" UUID NOT NULL,

    CONSTRAINT "registry_orphans_pkey" PRIMARY KEY ("registry_uuid")
);

-- CreateIndex
CREATE UNIQUE INDEX "github_accounts_github_id_key" ON "github_accounts"("github_id");

-- CreateIndex
CREATE INDEX "github_link_states_user_uuid_created_at_idx" ON "github_link_states"("user_uuid", "created_at");

-- CreateIndex
CREATE INDEX "github_link_states_expires_at_idx" ON "github_link_states"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "registry_submissions_repository_id_key" ON "registry_submissions"("repository_id");

-- CreateIndex
CREATE INDEX "registry_submissions_profile_uuid_created_at_idx" ON "registry_submissions"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "registry_submissions_user_uuid_idx" ON "registry_submissions"("user_uuid");

-- CreateIndex
CREATE INDEX "registry_submissions_status_created_at_idx" ON "registry_submissions"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "registry_servers_name_key_key" ON "registry_servers"("name_key");

-- CreateIndex
CREATE UNIQUE INDEX "registry_servers_server_uuid_key" ON "registry_servers"("server_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "registry_servers_repository_id_key" ON "registry_servers"("repository_id");

-- CreateIndex
CREATE INDEX "registry_servers_owner_uuid_idx" ON "registry_servers"("owner_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "registry_versions_seq_key" ON "registry_versions"("seq");

-- CreateIndex
CREATE INDEX "registry_versions_updated_at_idx" ON "registry_versions"("updated_at");

-- CreateIndex
CREATE INDEX "registry_versions_is_latest_status_idx" ON "registry_versions"("is_latest", "status");

-- CreateIndex
CREATE INDEX "registry_submissions_created_at_uuid_idx" ON "registry_submissions"("created_at", "uuid");

-- CreateIndex
CREATE INDEX "registry_versions_version_seq_idx" ON "registry_versions"("version", "seq");

-- AddForeignKey
ALTER TABLE "github_accounts" ADD CONSTRAINT "github_accounts_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "github_link_states" ADD CONSTRAINT "github_link_states_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_submissions" ADD CONSTRAINT "registry_submissions_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_submissions" ADD CONSTRAINT "registry_submissions_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_servers" ADD CONSTRAINT "registry_servers_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_servers" ADD CONSTRAINT "registry_servers_owner_uuid_fkey" FOREIGN KEY ("owner_uuid") REFERENCES "users"("uuid") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_versions" ADD CONSTRAINT "registry_versions_registry_uuid_fkey" FOREIGN KEY ("registry_uuid") REFERENCES "registry_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- The one row that whoever writes to the registry holds.
INSERT INTO "registry_state" ("id") VALUES (1);

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
