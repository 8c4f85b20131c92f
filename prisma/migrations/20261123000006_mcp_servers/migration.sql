-- CreateTable
CREATE TABLE "mcp_servers" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT,
    "description" TEXT,
    "transport" TEXT NOT NULL,
    "transports" TEXT[],
    "command" TEXT,
    "args" TEXT[],
    "url" TEXT,
    "env" TEXT,
    "env_names" TEXT[],
    "headers" TEXT,
    "header_names" TEXT[],
    "notes" TEXT,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT NOT NULL DEFAULT 'community',
    "package_type" TEXT,
    "repository_url" TEXT,
    "category" TEXT,
    "tags" TEXT[],
    "version" TEXT,
    "installations" INTEGER NOT NULL DEFAULT 0,
    "rating_sum" INTEGER NOT NULL DEFAULT 0,
    "ratings_count" INTEGER NOT NULL DEFAULT 0,
    "last_activity_at" TIMESTAMPTZ(3),
    "discovery_status" TEXT NOT NULL DEFAULT 'never',
    "discovered_at" TIMESTAMPTZ(3),
    "discovery_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "discovery_at" TIMESTAMPTZ(3),
    "are_tools_known" BOOLEAN NOT NULL DEFAULT false,
    "discovery_job" UUID,

    CONSTRAINT "mcp_servers_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "mcp_installations" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "server_uuid" UUID NOT NULL,
    "installed_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mcp_installations_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "mcp_ratings" (
    "server_uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "rating" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_ratings_pkey" PRIMARY KEY ("server_uuid","user_uuid")
);

-- CreateTable
CREATE TABLE "mcp_server_days" (
    "server_uuid" UUID NOT NULL,
    "day" DATE NOT NULL,
    "installs" INTEGER NOT NULL DEFAULT 0,
    "uninstalls" INTEGER NOT NULL DEFAULT 0,
    "calls" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "mcp_server_days_pkey" PRIMARY KEY ("server_uuid","day")
);

-- CreateTable
CREATE TABLE "mcp_capabilities" (
    "server_uuid" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "definition" JSON NOT NULL,
    "bytes" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "mcp_capabilities_pkey" PRIMARY KEY ("server_uuid","kind","name")
);

-- CreateTable
CREATE TABLE "mcp_tool_changes" (
    "uuid" UUID NOT NULL,
    "server_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "change" TEXT NOT NULL,
    "before" JSON,
    "after" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_tool_changes_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "mcp_secret_reads" (
    "profile_uuid" UUID NOT NULL,
    "credential_uuid" UUID NOT NULL,
    "day" DATE NOT NULL,
    "reads" INTEGER NOT NULL,
    "first_read_at" TIMESTAMPTZ(3) NOT NULL,
    "last_read_at" TIMESTAMPTZ(3) NOT NULL,
    "last_address" TEXT NOT NULL,

    CONSTRAINT "mcp_secret_reads_pkey" PRIMARY KEY ("profile_uuid","credential_uuid","day")
);

-- CreateTable
CREATE TABLE "mcp_server_hours" (
    "server_uuid" UUID NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "installs" INTEGER NOT NULL,
    "uninstalls" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_server_hours_pkey" PRIMARY KEY ("server_uuid","hour")
);

-- CreateTable
CREATE TABLE "mcp_server_users" (
    "server_uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "turned_at" TIMESTAMPTZ(3),
    "turns" INTEGER NOT NULL DEFAULT 0,
    "called_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_server_users_pkey" PRIMARY KEY ("server_uuid","user_uuid")
);

-- CreateTable
CREATE TABLE "mcp_server_touches" (
    "server_uuid" UUID NOT NULL,
    "is_hidden" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "mcp_server_touches_pkey" PRIMARY KEY ("server_uuid")
);

-- CreateIndex
CREATE UNIQUE INDEX "mcp_servers_slug_key" ON "mcp_servers"("slug");

-- CreateIndex
CREATE INDEX "mcp_servers_profile_uuid_created_at_idx" ON "mcp_servers"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "mcp_installations_server_uuid_idx" ON "mcp_installations"("server_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "mcp_installations_profile_uuid_server_uuid_key" ON "mcp_installations"("profile_uuid", "server_uuid");

-- CreateIndex
CREATE INDEX "mcp_ratings_user_uuid_idx" ON "mcp_ratings"("user_uuid");

-- CreateIndex
CREATE INDEX "mcp_server_days_day_idx" ON "mcp_server_days"("day");

-- CreateIndex
CREATE INDEX "mcp_tool_changes_server_uuid_created_at_idx" ON "mcp_tool_changes"("server_uuid", "created_at");

-- CreateIndex
CREATE INDEX "mcp_server_hours_hour_idx" ON "mcp_server_hours"("hour");

-- CreateIndex
CREATE INDEX "mcp_server_users_user_uuid_idx" ON "mcp_server_users"("user_uuid");

-- CreateIndex
CREATE INDEX "mcp_server_users_seen_at_idx" ON "mcp_server_users"("seen_at");

-- AddForeignKey
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_installations" ADD CONSTRAINT "mcp_installations_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_installations" ADD CONSTRAINT "mcp_installations_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_ratings" ADD CONSTRAINT "mcp_ratings_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_ratings" ADD CONSTRAINT "mcp_ratings_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_server_days" ADD CONSTRAINT "mcp_server_days_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_capabilities" ADD CONSTRAINT "mcp_capabilities_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_tool_changes" ADD CONSTRAINT "mcp_tool_changes_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_secret_reads" ADD CONSTRAINT "mcp_secret_reads_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_server_hours" ADD CONSTRAINT "mcp_server_hours_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_server_users" ADD CONSTRAINT "mcp_server_users_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_server_users" ADD CONSTRAINT "mcp_server_users_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those alone that are passed over: few, and asked for by every request for trends.
CREATE INDEX "mcp_server_touches_is_hidden_idx" ON "mcp_server_touches"("server_uuid") WHERE "is_hidden";

-- Public servers by installations, then by rating, then the newest first: all of them, and those of each source and package.
CREATE INDEX "mcp_servers_popular_idx" ON "mcp_servers" ("installations" DESC,
  (CASE WHEN ratings_count = 0 THEN 0 ELSE rating_sum::float8 / ratings_count END) DESC, "created_at" DESC, "uuid" DESC)
  WHERE is_public;
CREATE INDEX "mcp_servers_popular_of_idx" ON "mcp_servers" ("source", (coalesce(package_type, '')), "installations" DESC,
  (CASE WHEN ratings_count = 0 THEN 0 ELSE rating_sum::float8 / ratings_count END) DESC, "created_at" DESC, "uuid" DESC)
  WHERE is_public;

-- Whoever deletes a user takes the user's servers along. They are held first, and in the order in which everybody holds several:
-- somebody who installs them meanwhile holds a server, and then asks for the profile of its owner.
CREATE FUNCTION hold_servers_of_user() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM mcp_servers s JOIN profiles p ON p.uuid = s.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
    WHERE j.user_uuid = OLD.uuid ORDER BY s.uuid FOR UPDATE OF s;
  RETURN OLD;
END $$;

CREATE TRIGGER users_hold_servers BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION hold_servers_of_user();

-- A dump that names another type of package gets none.
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_package_type_check" CHECK ("package_type" IN ('npm', 'pypi', 'docker'));

-- Those alone that have something to be counted: few, and all that a nightly job goes through.
CREATE INDEX "mcp_servers_counted_idx" ON "mcp_servers"("uuid") WHERE installations > 0 OR ratings_count > 0;

-- Deleting a profile takes its servers along. As for users, they are locked first, in the order in which every transaction locks
-- several servers: a transaction that installs one of them locks the server, and then the profile of its owner.
CREATE FUNCTION hold_servers_of_profile() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM mcp_servers WHERE profile_uuid = OLD.uuid ORDER BY uuid FOR UPDATE;
  RETURN OLD;
END $$;

CREATE TRIGGER profiles_hold_servers BEFORE DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION hold_servers_of_profile();
