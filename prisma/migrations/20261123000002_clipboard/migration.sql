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
CREATE INDEX "clipboard_entries_expires_at_idx" ON "clipboard_entries"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "clipboard_entries_profile_uuid_name_key" ON "clipboard_entries"("profile_uuid", "name");

-- CreateIndex
CREATE INDEX "clipboard_entries_profile_uuid_seq_expires_at_idx" ON "clipboard_entries"("profile_uuid", "seq", "expires_at");

-- AddForeignKey
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_name_or_seq_check" CHECK (("name" IS NULL) <> ("seq" IS NULL));
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_encoding_check" CHECK ("encoding" IN ('utf-8', 'base64', 'hex'));
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_visibility_check" CHECK ("visibility" IN ('private', 'workspace', 'public'));
ALTER TABLE "clipboard_entries" ADD CONSTRAINT "clipboard_entries_source_check" CHECK ("source" IN ('ui', 'sdk', 'mcp'));

-- The stack of the clipboard: last in, first out, strictly, between all processes.
--
-- Whatever changes a profile's stack takes the profile's lock first and reads the clock behind it, so that the order of the
-- locks is the order of the operations and expiry is judged in that same order. The lock is released after the commit. Each
-- statement of a volatile function has a snapshot of its own, so what follows the lock sees all that was done before it.
-- A lock of two numbers cannot meet the one-number locks of the migration runner and the embedded server's owner.
CREATE SEQUENCE "clipboard_seq" AS bigint;

CREATE FUNCTION clipboard_lock_stack(p_profile uuid, p_pinned timestamptz) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7265, hashtext(p_profile::text));
  RETURN date_trunc('milliseconds', coalesce(p_pinned, clock_timestamp()));
END $$;

-- Pops the newest p_pops live entries, newest first.
CREATE FUNCTION clipboard_pop(p_profile uuid, p_pinned timestamptz, p_pops int) RETURNS SETOF clipboard_entries
LANGUAGE plpgsql VOLATILE
-- The place is found by walking the index from the top, however many entries the statistics suppose and whatever LIMIT a
-- generic plan assumes: sorting or reading the table costs as much as the stack is deep. What is switched off counts as an
-- enormous cost up to PostgreSQL 17, for which a server with LLVM would compile the plan anew in every call.
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off
AS $$
DECLARE
  v_now timestamptz := clipboard_lock_stack(p_profile, p_pinned);
BEGIN
  RETURN QUERY
    WITH popped AS (
      DELETE FROM clipboard_entries e WHERE e.ctid = ANY(ARRAY(
        SELECT top.ctid FROM clipboard_entries top
        WHERE top.profile_uuid = p_profile AND top.seq IS NOT NULL AND top.expires_at > v_now
        ORDER BY top.seq DESC LIMIT p_pops))
      RETURNING e.*)
    SELECT p.* FROM popped p ORDER BY p.seq DESC;
END $$;

-- Deletes the live entry at a place of the stack. What is switched off: see clipboard_pop.
CREATE FUNCTION clipboard_remove_by_index(p_profile uuid, p_pinned timestamptz, p_idx int) RETURNS TABLE (uuid uuid)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := clipboard_lock_stack(p_profile, p_pinned);
BEGIN
  RETURN QUERY DELETE FROM clipboard_entries e WHERE e.profile_uuid = p_profile AND e.seq = (
      SELECT at_index.seq FROM clipboard_entries at_index
      WHERE at_index.profile_uuid = p_profile AND at_index.seq IS NOT NULL AND at_index.expires_at > v_now
      ORDER BY at_index.seq DESC OFFSET p_idx LIMIT 1)
    RETURNING e.uuid;
END $$;

-- A clear is one instant for names too. A DELETE of many rows takes them as they are when it comes to each: a name that was set
-- meanwhile went or stayed by its place in the table, so of two sets of one client the later could go and the earlier stay.
--
-- Writers of names share a lock that a clear has alone. It is another than the stack's, so that neither pushes and sets
-- nor two sets ever wait for each other; and it is taken after the stack's, by clears only, so that nobody waits in a circle.
CREATE FUNCTION clipboard_lock_names(p_profile uuid, p_pinned timestamptz) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7266, hashtext(p_profile::text));
  RETURN date_trunc('milliseconds', coalesce(p_pinned, clock_timestamp()));
END $$;

-- Deletes all entries of a profile; the answer counts the live ones, because nobody could see the others any more.
CREATE FUNCTION clipboard_clear(p_profile uuid, p_pinned timestamptz) RETURNS int
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_now timestamptz;
  v_count int;
BEGIN
  PERFORM clipboard_lock_stack(p_profile, p_pinned);
  PERFORM pg_advisory_xact_lock(7266, hashtext(p_profile::text));
  v_now := date_trunc('milliseconds', coalesce(p_pinned, clock_timestamp()));
  WITH gone AS (DELETE FROM clipboard_entries e WHERE e.profile_uuid = p_profile RETURNING e.expires_at)
  SELECT count(*) INTO v_count FROM gone WHERE gone.expires_at > v_now;
  RETURN v_count;
END $$;

-- Named entries in the order of their list, so that its first page reads no others. Entries of the stack are no part of it: a push
-- writes one index less.
CREATE INDEX "clipboard_entries_named_order_idx" ON "clipboard_entries"("profile_uuid", "created_at", "uuid") WHERE "seq" IS NULL;

-- How many live entries a profile has. A function of its own hides from the planner how many there are: the statement that calls it has one
-- plan for profiles of any size then, and is not planned anew in each run, which takes longer than the run.
CREATE FUNCTION clipboard_total(p_profile uuid, p_pinned timestamptz) RETURNS int
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET jit = off
-- One index has all that is counted. While few pages are known to be visible to all, the planner prefers to read the whole table, or
-- all that has not expired.
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  RETURN (SELECT count(*) FROM clipboard_entries
    WHERE profile_uuid = p_profile AND (expires_at > coalesce(p_pinned, statement_timestamp())) IS TRUE);
END $$;
