-- CreateTable
CREATE TABLE "users" (
    "uuid" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "username_key" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "active_profile_uuid" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "projects" (
    "uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "tier" TEXT NOT NULL DEFAULT 'free',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "profiles" (
    "uuid" UUID NOT NULL,
    "project_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "channel" TEXT NOT NULL DEFAULT 'sdk',
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "sessions" (
    "uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "clipboard_entries" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "name" TEXT,
    "seq" BIGINT,
    "value" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "visibility" TEXT NOT NULL,
    "created_by_tool" TEXT,
    "created_by_model" TEXT,
    "source" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "clipboard_entries_pkey" PRIMARY KEY ("uuid")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key_key" ON "users"("email_key");

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key_key" ON "users"("username_key");

-- CreateIndex
CREATE INDEX "users_active_profile_uuid_idx" ON "users"("active_profile_uuid");

-- CreateIndex
CREATE INDEX "projects_user_uuid_created_at_idx" ON "projects"("user_uuid", "created_at");

-- CreateIndex
CREATE INDEX "profiles_project_uuid_created_at_idx" ON "profiles"("project_uuid", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_profile_uuid_created_at_idx" ON "api_keys"("profile_uuid", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_user_uuid_idx" ON "sessions"("user_uuid");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "clipboard_entries_profile_uuid_created_at_idx" ON "clipboard_entries"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "clipboard_entries_expires_at_idx" ON "clipboard_entries"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "clipboard_entries_profile_uuid_name_key" ON "clipboard_entries"("profile_uuid", "name");

-- CreateIndex
CREATE INDEX "clipboard_entries_profile_uuid_seq_expires_at_idx" ON "clipboard_entries"("profile_uuid", "seq", "expires_at");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_active_profile_uuid_fkey" FOREIGN KEY ("active_profile_uuid") REFERENCES "profiles"("uuid") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_project_uuid_fkey" FOREIGN KEY ("project_uuid") REFERENCES "projects"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say: the closed sets of values, and that an entry is either named or on the stack.
ALTER TABLE "projects" ADD CONSTRAINT "projects_tier_check" CHECK ("tier" IN ('free', 'pro', 'enterprise'));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_channel_check" CHECK ("channel" IN ('sdk', 'mcp'));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes_check" CHECK ("scopes" <@ ARRAY['read', 'write', 'admin']);
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_name_or_seq_check" CHECK (("name" IS NULL) <> ("seq" IS NULL));
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_encoding_check" CHECK ("encoding" IN ('utf-8', 'base64', 'hex'));
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_visibility_check" CHECK ("visibility" IN ('private', 'workspace', 'public'));
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_source_check" CHECK ("source" IN ('ui', 'sdk', 'mcp'));
