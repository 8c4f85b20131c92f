-- Pops return rows of the table, and pushes are plain inserts behind the profile's lock, so that no function lists columns.
DROP FUNCTION clipboard_change_stack;

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
