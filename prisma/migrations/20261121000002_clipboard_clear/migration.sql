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

CREATE OR REPLACE FUNCTION clipboard_clear(p_profile uuid, p_pinned timestamptz) RETURNS int
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
