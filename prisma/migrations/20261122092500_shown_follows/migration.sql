-- A follow says whether each of its users may be shown to everybody. The lists read by these columns, so hidden users cost them nothing.
ALTER TABLE "user_follows" ADD COLUMN "is_follower_shown" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "is_followed_shown" BOOLEAN NOT NULL DEFAULT false;

CREATE FUNCTION user_is_shown(p_user uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT p.is_public AND u.disabled_at IS NULL FROM users u JOIN user_profiles p ON p.user_uuid = u.uuid
    WHERE u.uuid = p_user), false)
$$;

UPDATE user_follows SET is_follower_shown = user_is_shown(follower_uuid), is_followed_shown = user_is_shown(followed_uuid);

DROP INDEX "user_follows_followed_uuid_created_at_follower_uuid_idx";
DROP INDEX "user_follows_follower_uuid_created_at_followed_uuid_idx";
CREATE INDEX "user_follows_followed_uuid_is_follower_shown_created_at_fol_idx" ON "user_follows"("followed_uuid", "is_follower_shown", "created_at", "follower_uuid");
CREATE INDEX "user_follows_follower_uuid_is_followed_shown_created_at_fol_idx" ON "user_follows"("follower_uuid", "is_followed_shown", "created_at", "followed_uuid");

-- As before, and then the columns: with the rows of both profiles locked, so that a user who is hidden meanwhile waits.
CREATE OR REPLACE FUNCTION user_follows_made() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  INSERT INTO user_profiles AS p (user_uuid, followers_count, following_count)
    SELECT user_uuid, sum(followers), sum(following) FROM (
      SELECT followed_uuid AS user_uuid, 1 AS followers, 0 AS following FROM made
      UNION ALL SELECT follower_uuid, 0, 1 FROM made) each
    GROUP BY user_uuid ORDER BY user_uuid
  ON CONFLICT (user_uuid) DO UPDATE SET
    followers_count = p.followers_count + excluded.followers_count,
    following_count = p.following_count + excluded.following_count;
  UPDATE user_follows f SET is_follower_shown = user_is_shown(f.follower_uuid), is_followed_shown = user_is_shown(f.followed_uuid)
  FROM made WHERE f.follower_uuid = made.follower_uuid AND f.followed_uuid = made.followed_uuid
    AND (user_is_shown(f.follower_uuid) OR user_is_shown(f.followed_uuid));
  RETURN NULL;
END $$;

CREATE FUNCTION user_follows_show() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
DECLARE
  changed uuid := CASE TG_TABLE_NAME WHEN 'users' THEN to_jsonb(NEW) ->> 'uuid' ELSE to_jsonb(NEW) ->> 'user_uuid' END;
  shown boolean;
BEGIN
  -- A follow that is being made holds this row. Without a row there are no follows.
  PERFORM FROM user_profiles WHERE user_uuid = changed FOR NO KEY UPDATE;
  -- In one order, or two users who follow each other and change at once would wait for each other.
  PERFORM FROM user_follows WHERE follower_uuid = changed OR followed_uuid = changed
    ORDER BY follower_uuid, followed_uuid FOR NO KEY UPDATE;
  shown := user_is_shown(changed);
  UPDATE user_follows SET is_follower_shown = shown WHERE follower_uuid = changed AND is_follower_shown <> shown;
  UPDATE user_follows SET is_followed_shown = shown WHERE followed_uuid = changed AND is_followed_shown <> shown;
  RETURN NULL;
END $$;

CREATE TRIGGER user_follows_show AFTER UPDATE OF is_public ON user_profiles
  FOR EACH ROW WHEN (OLD.is_public IS DISTINCT FROM NEW.is_public) EXECUTE FUNCTION user_follows_show();
CREATE TRIGGER user_follows_show AFTER UPDATE OF disabled_at ON users
  FOR EACH ROW WHEN ((OLD.disabled_at IS NULL) <> (NEW.disabled_at IS NULL)) EXECUTE FUNCTION user_follows_show();
