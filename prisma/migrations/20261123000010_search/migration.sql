-- CreateTable
CREATE TABLE "search_documents" (
    "server_uuid" UUID NOT NULL,
    "document" tsvector NOT NULL,
    "words" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "package" TEXT NOT NULL,
    "tier" SMALLINT NOT NULL DEFAULT 3,
    "installations" INTEGER NOT NULL DEFAULT 0,
    "rating" REAL NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "search_documents_pkey" PRIMARY KEY ("server_uuid")
);

-- CreateTable
CREATE TABLE "search_words" (
    "word" TEXT NOT NULL,
    "documents" INTEGER NOT NULL DEFAULT 2,

    CONSTRAINT "search_words_pkey" PRIMARY KEY ("word")
);

-- CreateTable
CREATE TABLE "search_new_words" (
    "id" BIGSERIAL NOT NULL,
    "word" TEXT NOT NULL,

    CONSTRAINT "search_new_words_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_counts" (
    "id" BIGSERIAL NOT NULL,
    "source" TEXT NOT NULL,
    "package" TEXT NOT NULL,
    "servers" INTEGER NOT NULL,

    CONSTRAINT "search_counts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_queries" (
    "key" BYTEA NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "search_queries_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "search_query_days" (
    "query" BYTEA NOT NULL,
    "day" DATE NOT NULL,
    "searches" INTEGER NOT NULL,

    CONSTRAINT "search_query_days_pkey" PRIMARY KEY ("query","day")
);

-- CreateTable
CREATE TABLE "search_askers" (
    "query" BYTEA NOT NULL,
    "asker" BYTEA NOT NULL,
    "is_user" BOOLEAN NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "search_askers_pkey" PRIMARY KEY ("query","asker")
);

-- CreateTable
CREATE TABLE "search_result_days" (
    "query" BYTEA NOT NULL,
    "day" DATE NOT NULL,
    "server_uuid" UUID NOT NULL,
    "impressions" INTEGER NOT NULL DEFAULT 0,
    "clicks" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "search_result_days_pkey" PRIMARY KEY ("query","day","server_uuid")
);

-- CreateTable
CREATE TABLE "search_openings" (
    "query" BYTEA NOT NULL,
    "server_uuid" UUID NOT NULL,
    "asker" BYTEA NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "search_openings_pkey" PRIMARY KEY ("query","server_uuid","asker")
);

-- CreateIndex
CREATE INDEX "search_new_words_word_idx" ON "search_new_words"("word");

-- CreateIndex
CREATE INDEX "search_documents_name_key_idx" ON "search_documents"("name_key");

-- CreateIndex
CREATE INDEX "search_documents_source_package_created_at_server_uuid_idx" ON "search_documents"("source", "package", "created_at", "server_uuid");

-- CreateIndex
CREATE INDEX "search_documents_created_at_server_uuid_idx" ON "search_documents"("created_at", "server_uuid");

-- CreateIndex
CREATE INDEX "search_query_days_day_idx" ON "search_query_days"("day");

-- CreateIndex
CREATE INDEX "search_askers_day_idx" ON "search_askers"("day");

-- CreateIndex
CREATE INDEX "search_result_days_server_uuid_day_idx" ON "search_result_days"("server_uuid", "day");

-- CreateIndex
CREATE INDEX "search_result_days_day_idx" ON "search_result_days"("day");

-- CreateIndex
CREATE INDEX "search_openings_day_idx" ON "search_openings"("day");

-- AddForeignKey
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who is looked through first has an index of its own: a common word costs what the first of them cost, however many servers
-- there are. Installations are counted without touching any of these (a heap-only update), if the page has room.
ALTER TABLE "search_documents" SET (fillfactor = 85);
CREATE INDEX "search_documents_top_idx" ON "search_documents" USING GIN ("document") WITH (fastupdate = off) WHERE tier = 0;
CREATE INDEX "search_documents_head_idx" ON "search_documents" USING GIN ("document") WITH (fastupdate = off) WHERE tier = 1;
CREATE INDEX "search_documents_body_idx" ON "search_documents" USING GIN ("document") WITH (fastupdate = off) WHERE tier = 2;
CREATE INDEX "search_documents_rest_idx" ON "search_documents" USING GIN ("document") WITH (fastupdate = off) WHERE tier = 3;
CREATE INDEX "search_documents_tier_idx" ON "search_documents" ("tier") WHERE tier < 3;

-- Words are compared by their bytes, so that a beginning is a range, whatever the database's language is.
ALTER TABLE "search_words" ALTER COLUMN "word" TYPE TEXT COLLATE "C";
ALTER TABLE "search_new_words" ALTER COLUMN "word" TYPE TEXT COLLATE "C";

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE INDEX "search_words_similar_idx" ON "search_words" USING GIN ("word" gin_trgm_ops) WHERE documents > 1;
CREATE INDEX "search_words_known_idx" ON "search_words" ("word", "documents") WHERE documents > 1;

-- Words apart by single spaces, without case, accents and punctuation. Characters of scripts without spaces are words each.
CREATE FUNCTION search_text(given text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(regexp_replace(regexp_replace(lower(normalize(given, NFKD)),
    '[\u0300-\u036f]+', '', 'g'),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\U0001f000-\U0001ffff]+', ' ', 'g'),
    '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'))
$$;

-- `githubMcpServer` as `github Mcp Server`.
CREATE FUNCTION search_parts(given text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(given, '([a-z0-9])([A-Z])', '\1 \2', 'g'), '([A-Z])([A-Z][a-z])', '\1 \2', 'g')
$$;

-- A repository's address without scheme, user, `.git` and what follows the path.
CREATE FUNCTION search_address(url text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(regexp_replace(lower(left(btrim(url), 300)),
    '^((git\+)?[a-z]+://)?([^/@]*@)?(www\.)?', ''), '^([^/:]+):(?=[a-z])', '\1/'), '(\.git)?/*([?#].*)?$', '')
$$;

-- Every run of whole segments of it: `owner/name` finds a repository, and so do its host and its owner.
CREATE FUNCTION search_repositories(url text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT 'repository=' || array_to_string(segments[first:last], '/')), '{}')
  FROM (SELECT (string_to_array(search_address(url), '/'))[1:6] AS segments) address,
    generate_series(1, cardinality(segments)) first, generate_series(first, cardinality(segments)) last
  WHERE url <> ''
$$;

-- What a server is found by; `words` are those of the vocabulary, each once, apart by spaces. Materialized, or each text would be
-- taken apart wherever it is used.
CREATE FUNCTION search_document(s mcp_servers, OUT document tsvector, OUT words text, OUT name_key text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH given AS MATERIALIZED (
    SELECT search_text(left(s.name, 200)) AS name, search_text(left(s.title, 200)) AS title,
      search_text(coalesce(s.category, '') || ' ' || coalesce(array_to_string(s.tags, ' '), '')) AS tags,
      search_text(left(s.description, 2000)) AS description,
      search_text(search_parts(left(s.name, 200) || ' ' || left(coalesce(s.title, ''), 200))) AS parts,
      search_text(regexp_replace(left(s.repository_url, 300), '^.*://[^/]*', '')) AS repository)
  SELECT setweight(to_tsvector('english', name), 'A')
      || setweight(to_tsvector('english', coalesce(title || ' ', '') || tags), 'B')
      || setweight(to_tsvector('english', coalesce(description, '')), 'C')
      || to_tsvector('simple', concat_ws(' ', name, title, parts, replace(name, ' ', ''),
        regexp_replace(regexp_replace(name, '\m(mcp|server)\M', '', 'g'), ' ', '', 'g'), repository))
      || array_to_tsvector(array_cat(ARRAY['source=' || s.source, 'package=' || coalesce(s.package_type, '')],
        search_repositories(s.repository_url))),
    (SELECT coalesce(string_agg(DISTINCT word COLLATE "C", ' '), '')
      FROM string_to_table(concat_ws(' ', name, title, tags, description), ' ') AS word
      WHERE length(word) BETWEEN 2 AND 32 AND word COLLATE "C" !~ '[^a-z0-9]' AND word COLLATE "C" ~ '[a-z]'),
    left(name, 200)
  FROM given
$$;

-- A server is found from the commit on that shows it, and in no other way before or after.
CREATE FUNCTION search_follow_server() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  made record;
BEGIN
  IF NOT NEW.is_public THEN
    DELETE FROM search_documents WHERE server_uuid = NEW.uuid;
    RETURN NULL;
  END IF;
  SELECT * INTO made FROM search_document(NEW);
  INSERT INTO search_documents AS d (server_uuid, document, words, name_key, source, package, installations, rating, created_at)
    VALUES (NEW.uuid, made.document, made.words, made.name_key, NEW.source, coalesce(NEW.package_type, ''), NEW.installations, CASE WHEN NEW.ratings_count = 0 THEN 0 ELSE NEW.rating_sum::float8 / NEW.ratings_count END,
      NEW.created_at)
  ON CONFLICT (server_uuid) DO UPDATE SET document = excluded.document, words = excluded.words,
    name_key = excluded.name_key, source = excluded.source, package = excluded.package, installations = excluded.installations, rating = excluded.rating;
  -- A word that is unique would make whoever shows a server wait for everybody else who is about to bring the same word. Rare words
  -- come again, as they may be about to be forgotten.
  INSERT INTO search_new_words (word) SELECT each FROM string_to_table(made.words, ' ') AS each
    WHERE each <> '' AND NOT EXISTS (SELECT FROM search_words w WHERE w.word = each COLLATE "C" AND w.documents > 1)
      AND NOT EXISTS (SELECT FROM search_new_words n WHERE n.word = each COLLATE "C");
  RETURN NULL;
END $$;

CREATE FUNCTION search_follow_figures() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  UPDATE search_documents SET installations = NEW.installations,
    rating = CASE WHEN NEW.ratings_count = 0 THEN 0 ELSE NEW.rating_sum::float8 / NEW.ratings_count END
  WHERE server_uuid = NEW.uuid;
  RETURN NULL;
END $$;

CREATE TRIGGER search_server_made AFTER INSERT ON mcp_servers
  FOR EACH ROW WHEN (NEW.is_public) EXECUTE FUNCTION search_follow_server();
CREATE TRIGGER search_server_changed AFTER UPDATE ON mcp_servers
  FOR EACH ROW WHEN ((OLD.is_public OR NEW.is_public) AND
    (OLD.is_public, OLD.name, OLD.title, OLD.description, OLD.category, OLD.tags, OLD.source, OLD.package_type, OLD.repository_url)
    IS DISTINCT FROM
    (NEW.is_public, NEW.name, NEW.title, NEW.description, NEW.category, NEW.tags, NEW.source, NEW.package_type, NEW.repository_url))
  EXECUTE FUNCTION search_follow_server();
CREATE TRIGGER search_server_counted AFTER UPDATE ON mcp_servers
  FOR EACH ROW WHEN (NEW.is_public AND (OLD.installations, OLD.rating_sum, OLD.ratings_count)
    IS DISTINCT FROM (NEW.installations, NEW.rating_sum, NEW.ratings_count))
  EXECUTE FUNCTION search_follow_figures();

-- Counted by rows that are only added, so that nobody waits for a counter. A statement counts once.
CREATE FUNCTION search_count_made() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO search_counts (source, package, servers) SELECT source, package, count(*) FROM made GROUP BY 1, 2;
  RETURN NULL;
END $$;

CREATE FUNCTION search_count_gone() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO search_counts (source, package, servers) SELECT source, package, -count(*) FROM gone GROUP BY 1, 2;
  RETURN NULL;
END $$;

CREATE FUNCTION search_count_changed() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO search_counts (source, package, servers)
    SELECT source, package, sum(servers) FROM (
      SELECT source, package, 1 AS servers FROM made UNION ALL SELECT source, package, -1 FROM gone) each
    GROUP BY 1, 2 HAVING sum(servers) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER search_documents_made AFTER INSERT ON search_documents
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION search_count_made();
CREATE TRIGGER search_documents_gone AFTER DELETE ON search_documents
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION search_count_gone();
CREATE TRIGGER search_documents_changed AFTER UPDATE ON search_documents
  REFERENCING NEW TABLE AS made OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION search_count_changed();

-- Whether a server has a word, in one form or the other.
CREATE FUNCTION search_has_word(word text) RETURNS boolean
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  query tsquery := plainto_tsquery('simple', word) || plainto_tsquery('english', word);
BEGIN
  RETURN EXISTS (SELECT FROM search_documents WHERE tier = 0 AND document @@ query)
    OR EXISTS (SELECT FROM search_documents WHERE tier = 1 AND document @@ query)
    OR EXISTS (SELECT FROM search_documents WHERE tier = 2 AND document @@ query)
    OR EXISTS (SELECT FROM search_documents WHERE tier = 3 AND document @@ query);
END $$;

-- What the words of a search may mean. `kind`:
--   token     a word as it was given, with its lexeme (null for words such as "the"), and how many documents have it (null: none)
--   begins    a word that begins with the last one, which may still be being typed
--   like      a word that looks like one that no server has
CREATE FUNCTION search_understand(given text) RETURNS TABLE (place int, kind text, word text, lexeme text, documents int,
  likeness real)
LANGUAGE plpgsql STABLE SET pg_trgm.similarity_threshold = 0.34 SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH tokens AS MATERIALIZED (
      SELECT min(t.place)::int AS place, left(t.token, 64) AS token
      FROM regexp_split_to_table(search_text(given), ' +') WITH ORDINALITY AS t (token, place)
      WHERE t.token <> '' GROUP BY 2 ORDER BY 1 LIMIT 16),
    known AS MATERIALIZED (
      SELECT t.place, t.token, CASE WHEN w.documents > 1 THEN w.documents
          WHEN EXISTS (SELECT FROM search_new_words n WHERE n.word = t.token) THEN 2 ELSE w.documents END AS documents
      FROM tokens t LEFT JOIN search_words w ON w.word = t.token),
    last AS (SELECT * FROM known WHERE given !~ '\s$' AND length(token) >= 2 ORDER BY place DESC LIMIT 1),
    beginning AS MATERIALIZED (
      SELECT last.place, b.word, b.documents FROM last CROSS JOIN LATERAL (
        SELECT w.word, w.documents FROM search_words w
        WHERE w.documents > 1 AND w.word > last.token AND w.word < last.token || '{'
        UNION
        (SELECT n.word, 2 FROM search_new_words n WHERE n.word > last.token AND n.word < last.token || '{' ORDER BY n.word LIMIT 60)
        ORDER BY documents DESC, word LIMIT 12) b),
    beginning_rarely AS (
      SELECT last.place, b.word, b.documents FROM last CROSS JOIN LATERAL (
        SELECT w.word, w.documents FROM search_words w
        WHERE w.word > last.token AND w.word < last.token || '{' ORDER BY w.word LIMIT 6) b
      WHERE last.documents IS NULL AND NOT EXISTS (SELECT FROM beginning)),
    similar_words AS (
      SELECT u.place, l.word, l.documents, l.likeness FROM known u CROSS JOIN LATERAL (
        (SELECT w.word, w.documents, similarity(w.word, u.token) AS likeness FROM search_words w
          WHERE w.documents > 1 AND w.word % u.token ORDER BY likeness DESC, w.word LIMIT 30)
        UNION
        (SELECT w.word, w.documents, similarity(w.word, u.token) AS likeness FROM search_words w
          WHERE w.documents > 1 AND w.word >= left(u.token, 1) AND w.word < left(u.token, 1) || '{'
            AND length(w.word) BETWEEN length(u.token) - 1 AND length(u.token) + 1
          ORDER BY likeness DESC, w.word LIMIT 60)) l
      WHERE u.documents IS NULL AND u.token ~ '^[a-z0-9]{4,32}$' AND u.place <= 8
        AND NOT EXISTS (SELECT FROM beginning b WHERE b.place = u.place)
        AND NOT EXISTS (SELECT FROM beginning_rarely b WHERE b.place = u.place))
  SELECT a.place, a.kind, a.word, (tsvector_to_array(to_tsvector('english', a.word)))[1], a.documents, a.likeness FROM (
    SELECT k.place, 'token' AS kind, k.token AS word, k.documents, 1::real AS likeness FROM known k
    UNION ALL SELECT b.place, 'begins', b.word, b.documents, 1 FROM beginning b
    UNION ALL SELECT b.place, 'begins', b.word, b.documents, 1 FROM beginning_rarely b
    UNION ALL SELECT l.place, 'like', l.word, l.documents, l.likeness FROM similar_words l) a
  ORDER BY a.place;
END $$;

-- The best of what words find. Plans are pinned: the indexes are always the way, and no planning is done for a search.
--   strict    what a server should have: all words
--   relaxed   what comes next where fewer than 20 have that, in this order; none of them finds what one before has found
--   words     what each word may be read as, with what that counts
-- At most 1 000 are found, from the most popular thousand, then ten and a hundred thousand, then the rest; they are ranked, and a page of
-- them is answered. `total` is how many were found. In another order than by relevance what has all words comes first.
CREATE FUNCTION search_servers(strict tsquery, relaxed tsquery[], words tsquery[], weights real[], key text, sort text,
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

-- Who has signed in makes a search shown; of a search that many others ask they are found without going through those.
CREATE INDEX "search_askers_users_idx" ON "search_askers" ("query", "day") WHERE is_user;
