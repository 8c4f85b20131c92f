-- Sessions without a refresh token, by the time at which they expire.
CREATE INDEX "oauth_sessions_lapsing_idx" ON "oauth_sessions" ("expires_at") WHERE "status" = 'active' AND "refresh_token" IS NULL;
