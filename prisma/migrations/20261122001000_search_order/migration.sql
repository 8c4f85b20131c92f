-- The best of what words find. Plans are pinned: the indexes are always the way, and no planning is done for a search.
--   strict    what a server should have: all words
--   relaxed   what comes next where fewer than 20 have that, in this order; none of them finds what one before has found
--   words     what each word may be read as, with what that counts
-- At most 1 000 are found, from the most popular thousand, then ten and a hundred thousand, then the rest; they are ranked, and a page of
-- them is answered. `total` is how many were found. In another order than by relevance what has all words comes first.
CREATE OR REPLACE FUNCTION search_servers(strict tsquery, relaxed tsquery[], words tsquery[], weights real[], key text, sort text,
  skipped int, taken int) RETURNS TABLE (server_uuid uuid, total bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH named AS MATERIALIZED (
      SELECT d.* FROM search_documents d WHERE d.name_key = key AND d.document @@ strict LIMIT 20),
    matching AS MATERIALIZED (
      SELECT * FROM named
      UNION ALL (SELECT d.* FROM (
        SELECT * FROM search_documents t WHERE t.tier = 0 AND t.document @@ strict
        UNION ALL SELECT * FROM search_documents t WHERE t.tier = 1 AND t.document @@ strict
        UNION ALL SELECT * FROM search_documents t WHERE t.tier = 2 AND t.document @@ strict
        UNION ALL SELECT * FROM search_documents t WHERE t.tier = 3 AND t.document @@ strict) d
      WHERE d.server_uuid NOT IN (SELECT n.server_uuid FROM named n) LIMIT 1000)),
    newest AS MATERIALIZED (
      SELECT d.* FROM (SELECT * FROM search_documents n ORDER BY n.created_at DESC, n.server_uuid DESC LIMIT 10000) d
      WHERE sort = 'recent' AND (SELECT count(*) FROM matching) >= 1000 AND d.document @@ strict LIMIT skipped + taken),
    less AS MATERIALIZED (
      SELECT d.* FROM unnest(relaxed) AS stage (query) CROSS JOIN LATERAL (
        SELECT * FROM search_documents t WHERE t.tier = 0 AND t.document @@ query
        UNION ALL SELECT * FROM search_documents t WHERE t.tier = 1 AND t.document @@ query
        UNION ALL SELECT * FROM search_documents t WHERE t.tier = 2 AND t.document @@ query
        UNION ALL SELECT * FROM search_documents t WHERE t.tier = 3 AND t.document @@ query) d
      WHERE (SELECT count(*) FROM matching) < 20 LIMIT 300),
    found AS (
      SELECT *, false AS lacks FROM matching UNION ALL SELECT *, sort <> 'relevance' FROM less
      UNION ALL SELECT *, false FROM newest n WHERE NOT EXISTS (SELECT FROM matching m WHERE m.server_uuid = n.server_uuid)),
    ranked AS (
      SELECT f.server_uuid, f.lacks, f.created_at, f.installations, f.rating,
        CASE WHEN sort = 'relevance' THEN
          (SELECT sum(weight * sqrt(ts_rank('{0.1, 0.5, 0.6, 1}', f.document, word, 1))) FROM unnest(search_servers.words, weights) AS w (word, weight))
          + 0.1 * similarity(f.name_key, key)
          + 0.015 * ln(1 + f.installations)
        END AS score
      FROM found f)
  SELECT r.server_uuid, least(1000, count(*) OVER ()) FROM ranked r
  ORDER BY r.lacks, CASE WHEN sort = 'recent' THEN r.created_at END DESC, r.score DESC,
    CASE WHEN sort = 'popular' THEN r.installations END DESC, CASE WHEN sort = 'popular' THEN r.rating END DESC,
    r.installations DESC, r.created_at DESC, r.server_uuid DESC
  OFFSET skipped LIMIT taken;
END $$;
