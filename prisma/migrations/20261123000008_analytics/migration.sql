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

-- CreateIndex
CREATE INDEX "trending_servers_timeframe_score_server_uuid_idx" ON "trending_servers"("timeframe", "score" DESC, "server_uuid");

-- CreateIndex
CREATE INDEX "trending_servers_timeframe_category_score_server_uuid_idx" ON "trending_servers"("timeframe", "category", "score" DESC, "server_uuid");

-- CreateIndex
CREATE INDEX "trending_servers_due_at_idx" ON "trending_servers"("due_at");

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
