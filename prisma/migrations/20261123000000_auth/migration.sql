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
    -- What is deleted disappears at once and is removed afterwards, as many rows at a time as one statement can take.
    "deleted_at" TIMESTAMPTZ(3),

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
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "projects_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "profiles" (
    "uuid" UUID NOT NULL,
    "project_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

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
CREATE TABLE "sign_in_networks" (
    "user_uuid" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_networks_pkey" PRIMARY KEY ("user_uuid","network")
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
CREATE INDEX "sign_in_networks_last_at_idx" ON "sign_in_networks"("last_at");

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
ALTER TABLE "sign_in_networks" ADD CONSTRAINT "sign_in_networks_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say: the closed sets of values, and that an entry is either named or on the stack.
ALTER TABLE "projects" ADD CONSTRAINT "projects_tier_check" CHECK ("tier" IN ('free', 'pro', 'enterprise'));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_channel_check" CHECK ("channel" IN ('sdk', 'mcp'));
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes_check" CHECK ("scopes" <@ ARRAY['read', 'write', 'admin']);

-- For the job that removes them: these indexes hold nothing else.
CREATE INDEX "users_deleted" ON "users" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "projects_deleted" ON "projects" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "profiles_deleted" ON "profiles" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
