-- CreateTable
CREATE TABLE "trending_servers" (
    "server_uuid" UUID NOT NULL,
    "timeframe" TEXT NOT NULL,
    "category" TEXT,
    "score" INTEGER NOT NULL,
    "score_before" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "trending_servers_pkey" PRIMARY KEY ("server_uuid","timeframe")
);

-- CreateTable
CREATE TABLE "trending_tallies" (
    "timeframe" TEXT NOT NULL,
    "is_before" BOOLEAN NOT NULL,
    "list" TEXT NOT NULL,
    "step" SMALLINT NOT NULL,
    "bucket" INTEGER NOT NULL,
    "servers" INTEGER NOT NULL,

    CONSTRAINT "trending_tallies_pkey" PRIMARY KEY ("timeframe","is_before","list","step","bucket")
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
CREATE INDEX "trending_servers_timeframe_score_server_uuid_idx" ON "trending_servers"("timeframe", "score" DESC, "server_uuid");

-- CreateIndex
CREATE INDEX "trending_servers_timeframe_category_score_server_uuid_idx" ON "trending_servers"("timeframe", "category", "score" DESC, "server_uuid");

-- CreateIndex
CREATE INDEX "trending_servers_due_at_idx" ON "trending_servers"("due_at");

-- CreateIndex
CREATE INDEX "mcp_server_hours_hour_idx" ON "mcp_server_hours"("hour");

-- CreateIndex
CREATE INDEX "mcp_server_users_user_uuid_idx" ON "mcp_server_users"("user_uuid");

-- CreateIndex
CREATE INDEX "mcp_server_users_seen_at_idx" ON "mcp_server_users"("seen_at");

-- AddForeignKey
ALTER TABLE "mcp_server_hours" ADD CONSTRAINT "mcp_server_hours_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_server_users" ADD CONSTRAINT "mcp_server_users_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_server_users" ADD CONSTRAINT "mcp_server_users_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those alone that are passed over: few, and asked for by every request for trends.
CREATE INDEX "mcp_server_touches_is_hidden_idx" ON "mcp_server_touches"("server_uuid") WHERE "is_hidden";

-- Whoever hides a server, deletes it or puts it into another category tells the trends of it, also where it goes because its
-- owner does.
CREATE FUNCTION mcp_servers_seen_otherwise() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  INSERT INTO mcp_server_touches AS t (server_uuid, is_hidden)
    VALUES (OLD.uuid, CASE WHEN TG_OP = 'DELETE' THEN true ELSE NOT NEW.is_public END)
  ON CONFLICT (server_uuid) DO UPDATE SET is_hidden = t.is_hidden OR excluded.is_hidden;
  RETURN NULL;
END $$;

CREATE TRIGGER mcp_servers_seen_otherwise AFTER UPDATE OF is_public, category ON mcp_servers
  FOR EACH ROW WHEN ((OLD.is_public, OLD.category) IS DISTINCT FROM (NEW.is_public, NEW.category))
  EXECUTE FUNCTION mcp_servers_seen_otherwise();
CREATE TRIGGER mcp_servers_seen_no_more AFTER DELETE ON mcp_servers
  FOR EACH ROW WHEN (OLD.is_public) EXECUTE FUNCTION mcp_servers_seen_otherwise();
