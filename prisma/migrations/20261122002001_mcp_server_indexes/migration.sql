-- Nobody lists public servers by their age: the search does, by documents of its own.
DROP INDEX "mcp_servers_is_public_created_at_idx";

-- Those alone that have something to be counted: few, and all that a nightly job goes through.
CREATE INDEX "mcp_servers_counted_idx" ON "mcp_servers"("uuid") WHERE installations > 0 OR ratings_count > 0;
