-- CreateTable
CREATE TABLE "oauth_pkce_states" (
    "state_hash" BYTEA NOT NULL,
    "user_uuid" UUID NOT NULL,
    "server_uuid" UUID,
    "server_url" TEXT,
    "session_uuid" UUID,
    "client_uuid" UUID,
    "issuer" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,
    "resource" TEXT,
    "scopes" TEXT[],
    "redirect_uri" TEXT NOT NULL,
    "verifier" TEXT NOT NULL,
    "integrity_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_pkce_states_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "uuid" UUID NOT NULL,
    "server_uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" TEXT,
    "authentication_method" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "secret_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "oauth_sessions" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "server_uuid" UUID,
    "server_url" TEXT,
    "provider" TEXT NOT NULL,
    "client_uuid" UUID,
    "issuer" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,
    "resource" TEXT,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],
    "status" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "can_refresh" BOOLEAN NOT NULL GENERATED ALWAYS AS ("refresh_token" IS NOT NULL) STORED,
    "expires_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 0,
    "refresh_claim" UUID,
    "refresh_claimed_until" TIMESTAMPTZ(3),
    "refreshed_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "retry_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "challenge" TEXT,
    "step_ups" INTEGER NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_sessions_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "oauth_used_refresh_tokens" (
    "session_uuid" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_used_refresh_tokens_pkey" PRIMARY KEY ("session_uuid","token_hash")
);

-- CreateTable
CREATE TABLE "oauth_server_settings" (
    "server_uuid" UUID NOT NULL,
    "allows_other_issuer" BOOLEAN NOT NULL DEFAULT false,
    "omits_resource" BOOLEAN NOT NULL DEFAULT false,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "omits_report" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "oauth_server_settings_pkey" PRIMARY KEY ("server_uuid")
);

-- CreateTable
CREATE TABLE "oauth_security_events" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "user_uuid" UUID NOT NULL,
    "actor_uuid" UUID,
    "server_uuid" UUID,
    "session_uuid" UUID,
    "type" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_security_events_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "oauth_reports" (
    "server_uuid" UUID NOT NULL,
    "server_url" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "grade" TEXT,
    "passed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "not_applicable" INTEGER NOT NULL DEFAULT 0,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_reports_pkey" PRIMARY KEY ("server_uuid")
);

-- CreateTable
CREATE TABLE "oauth_report_outcomes" (
    "server_uuid" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "known_outcome" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_report_outcomes_pkey" PRIMARY KEY ("server_uuid","rule")
);

-- CreateTable
CREATE TABLE "oauth_report_changes" (
    "uuid" UUID NOT NULL,
    "server_uuid" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_report_changes_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "oauth_report_hosts" (
    "origin" TEXT NOT NULL,
    "run_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_report_hosts_pkey" PRIMARY KEY ("origin")
);

-- CreateIndex
CREATE INDEX "oauth_pkce_states_user_uuid_created_at_idx" ON "oauth_pkce_states"("user_uuid", "created_at");

-- CreateIndex
CREATE INDEX "oauth_pkce_states_expires_at_idx" ON "oauth_pkce_states"("expires_at");

-- CreateIndex
CREATE INDEX "oauth_pkce_states_server_uuid_idx" ON "oauth_pkce_states"("server_uuid");

-- CreateIndex
CREATE INDEX "oauth_pkce_states_session_uuid_idx" ON "oauth_pkce_states"("session_uuid");

-- CreateIndex
CREATE INDEX "oauth_pkce_states_client_uuid_idx" ON "oauth_pkce_states"("client_uuid");

-- CreateIndex
CREATE INDEX "oauth_clients_server_uuid_created_at_idx" ON "oauth_clients"("server_uuid", "created_at");

-- CreateIndex
CREATE INDEX "oauth_clients_created_at_idx" ON "oauth_clients"("created_at");

-- CreateIndex
CREATE INDEX "oauth_clients_user_uuid_idx" ON "oauth_clients"("user_uuid");

-- CreateIndex
CREATE INDEX "oauth_sessions_profile_uuid_created_at_idx" ON "oauth_sessions"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "oauth_sessions_server_uuid_created_at_idx" ON "oauth_sessions"("server_uuid", "created_at");

-- CreateIndex
CREATE INDEX "oauth_sessions_user_uuid_idx" ON "oauth_sessions"("user_uuid");

-- CreateIndex
CREATE INDEX "oauth_sessions_client_uuid_idx" ON "oauth_sessions"("client_uuid");

-- CreateIndex
CREATE INDEX "oauth_sessions_ended_at_idx" ON "oauth_sessions"("ended_at");

-- CreateIndex
CREATE INDEX "oauth_used_refresh_tokens_used_at_idx" ON "oauth_used_refresh_tokens"("used_at");

-- CreateIndex
CREATE INDEX "oauth_security_events_profile_uuid_created_at_idx" ON "oauth_security_events"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "oauth_security_events_user_uuid_idx" ON "oauth_security_events"("user_uuid");

-- CreateIndex
CREATE INDEX "oauth_security_events_created_at_idx" ON "oauth_security_events"("created_at");

-- CreateIndex
CREATE INDEX "oauth_reports_origin_checked_at_idx" ON "oauth_reports"("origin", "checked_at");

-- CreateIndex
CREATE INDEX "oauth_report_changes_server_uuid_at_idx" ON "oauth_report_changes"("server_uuid", "at");

-- CreateIndex
CREATE INDEX "oauth_report_hosts_due_at_idx" ON "oauth_report_hosts"("due_at");

-- AddForeignKey
ALTER TABLE "oauth_pkce_states" ADD CONSTRAINT "oauth_pkce_states_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_pkce_states" ADD CONSTRAINT "oauth_pkce_states_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_pkce_states" ADD CONSTRAINT "oauth_pkce_states_session_uuid_fkey" FOREIGN KEY ("session_uuid") REFERENCES "oauth_sessions"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_pkce_states" ADD CONSTRAINT "oauth_pkce_states_client_uuid_fkey" FOREIGN KEY ("client_uuid") REFERENCES "oauth_clients"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_sessions" ADD CONSTRAINT "oauth_sessions_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_sessions" ADD CONSTRAINT "oauth_sessions_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_sessions" ADD CONSTRAINT "oauth_sessions_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_sessions" ADD CONSTRAINT "oauth_sessions_client_uuid_fkey" FOREIGN KEY ("client_uuid") REFERENCES "oauth_clients"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_used_refresh_tokens" ADD CONSTRAINT "oauth_used_refresh_tokens_session_uuid_fkey" FOREIGN KEY ("session_uuid") REFERENCES "oauth_sessions"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_server_settings" ADD CONSTRAINT "oauth_server_settings_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_security_events" ADD CONSTRAINT "oauth_security_events_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_security_events" ADD CONSTRAINT "oauth_security_events_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_reports" ADD CONSTRAINT "oauth_reports_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_report_outcomes" ADD CONSTRAINT "oauth_report_outcomes_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "oauth_reports"("server_uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_report_changes" ADD CONSTRAINT "oauth_report_changes_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "oauth_reports"("server_uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the job refreshes next.
CREATE INDEX "oauth_sessions_due_idx" ON "oauth_sessions" ("expires_at") WHERE "status" = 'active' AND "refresh_token" IS NOT NULL;
ALTER TABLE "oauth_sessions" ADD CONSTRAINT "oauth_sessions_status_check" CHECK ("status" IN ('pending', 'active', 'expired', 'revoked'));

-- Tokens end with their session.
ALTER TABLE "oauth_sessions" ADD CONSTRAINT "oauth_sessions_tokens_check"
  CHECK (("access_token" IS NOT NULL) = ("status" = 'active') AND ("refresh_token" IS NULL OR "status" = 'active'));

-- Pending sessions by the time at which they are given up, and active ones to be counted.
CREATE INDEX "oauth_sessions_pending_idx" ON "oauth_sessions" ("expires_at") WHERE "status" = 'pending';
CREATE INDEX "oauth_sessions_active_idx" ON "oauth_sessions" ("status") WHERE "status" = 'active';

-- Security events are appended and never changed. They go with their profile or user (foreign keys run in a trigger, hence the depth),
-- or when they are older than a year.
CREATE FUNCTION oauth_security_event_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (pg_trigger_depth() > 1 OR OLD.created_at < statement_timestamp() - interval '365 days') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'Security events cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER oauth_security_event_keep BEFORE UPDATE OR DELETE ON "oauth_security_events"
  FOR EACH ROW EXECUTE FUNCTION oauth_security_event_keep();

-- Sessions without a refresh token, by the time at which they expire.
CREATE INDEX "oauth_sessions_lapsing_idx" ON "oauth_sessions" ("expires_at") WHERE "status" = 'active' AND "refresh_token" IS NULL;
