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

-- CreateIndex
CREATE UNIQUE INDEX "mcp_servers_slug_key" ON "mcp_servers"("slug");

-- CreateIndex
CREATE INDEX "mcp_servers_profile_uuid_created_at_idx" ON "mcp_servers"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "mcp_servers_is_public_created_at_idx" ON "mcp_servers"("is_public", "created_at");

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
