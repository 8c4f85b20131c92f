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

-- Pops the newest p_pops live entries, newest first, then pushes the given ones in order.
CREATE FUNCTION clipboard_change_stack(
  p_profile uuid, p_pinned timestamptz, p_pops int,
  p_uuids uuid[], p_values text[], p_content_types text[], p_encodings text[], p_sizes int[], p_visibilities text[],
  p_tools text[], p_models text[], p_sources text[], p_ttls int[]
) RETURNS TABLE (
  kind text, uuid uuid, value text, content_type text, encoding text, size_bytes int, visibility text,
  created_by_tool text, created_by_model text, source text, created_at timestamptz, updated_at timestamptz, expires_at timestamptz
) LANGUAGE plpgsql VOLATILE
-- The place is found by walking the index from the top, however many entries the statistics suppose and whatever LIMIT a
-- generic plan assumes: sorting or reading the table costs as much as the stack is deep.
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := clipboard_lock_stack(p_profile, p_pinned);
BEGIN
  IF p_pops > 0 THEN
    RETURN QUERY
      WITH popped AS (
        DELETE FROM clipboard_entries e WHERE e.ctid = ANY(ARRAY(
          SELECT top.ctid FROM clipboard_entries top
          WHERE top.profile_uuid = p_profile AND top.seq IS NOT NULL AND top.expires_at > v_now
          ORDER BY top.seq DESC LIMIT p_pops))
        RETURNING e.*)
      SELECT 'popped', p.uuid, p.value, p.content_type, p.encoding, p.size_bytes, p.visibility,
        p.created_by_tool, p.created_by_model, p.source, p.created_at, p.updated_at, p.expires_at
      FROM popped p ORDER BY p.seq DESC;
  END IF;
  IF cardinality(p_uuids) > 0 THEN
    INSERT INTO clipboard_entries (uuid, profile_uuid, seq, value, content_type, encoding, size_bytes, visibility,
      created_by_tool, created_by_model, source, created_at, updated_at, expires_at)
    SELECT n.uuid, p_profile, nextval('clipboard_seq'), n.value, n.content_type, n.encoding, n.size_bytes, n.visibility,
      n.tool, n.model, n.source, v_now, v_now, v_now + make_interval(secs => n.ttl)
    FROM (
      SELECT * FROM unnest(p_uuids, p_values, p_content_types, p_encodings, p_sizes, p_visibilities, p_tools, p_models, p_sources, p_ttls)
        WITH ORDINALITY AS given (uuid, value, content_type, encoding, size_bytes, visibility, tool, model, source, ttl, place)
      ORDER BY place
    ) n;
    -- The caller has the values; only the times are news.
    RETURN QUERY
      SELECT 'pushed', n.uuid, NULL::text, NULL::text, NULL::text, NULL::int, NULL::text, NULL::text, NULL::text, NULL::text,
        v_now, v_now, v_now + make_interval(secs => n.ttl)
      FROM unnest(p_uuids, p_ttls) AS n (uuid, ttl);
  END IF;
END $$;

CREATE FUNCTION clipboard_remove_by_index(p_profile uuid, p_pinned timestamptz, p_idx int) RETURNS TABLE (uuid uuid)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
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

-- Deletes all entries of a profile; the answer counts the live ones, because nobody could see the others any more.
CREATE FUNCTION clipboard_clear(p_profile uuid, p_pinned timestamptz) RETURNS int
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_now timestamptz := clipboard_lock_stack(p_profile, p_pinned);
  v_count int;
BEGIN
  WITH gone AS (DELETE FROM clipboard_entries e WHERE e.profile_uuid = p_profile RETURNING e.expires_at)
  SELECT count(*) INTO v_count FROM gone WHERE gone.expires_at > v_now;
  RETURN v_count;
END $$;
