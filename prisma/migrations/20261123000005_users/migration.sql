-- CreateTable
CREATE TABLE "user_profiles" (
    "user_uuid" UUID NOT NULL,
    "bio" TEXT,
    "avatar_url" TEXT,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "social_links" JSON NOT NULL DEFAULT '{}',
    "followers_count" INTEGER NOT NULL DEFAULT 0,
    "following_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "user_profiles_pkey" PRIMARY KEY ("user_uuid")
);

-- CreateTable
CREATE TABLE "user_follows" (
    "follower_uuid" UUID NOT NULL,
    "followed_uuid" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    -- A follow says whether each of its users may be shown to everybody. The lists read by these columns, so hidden users cost them nothing.
    "is_follower_shown" BOOLEAN NOT NULL DEFAULT false,
    "is_followed_shown" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "user_follows_pkey" PRIMARY KEY ("follower_uuid","followed_uuid")
);

-- CreateTable
CREATE TABLE "user_follow_notices" (
    "follower_uuid" UUID NOT NULL,
    "followed_uuid" UUID NOT NULL,
    "notified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_follow_notices_pkey" PRIMARY KEY ("follower_uuid","followed_uuid")
);

-- CreateIndex
CREATE INDEX "user_follow_notices_notified_at_idx" ON "user_follow_notices"("notified_at");

-- AddForeignKey
ALTER TABLE "user_profiles" ADD CONSTRAINT "user_profiles_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_follows" ADD CONSTRAINT "user_follows_follower_uuid_fkey" FOREIGN KEY ("follower_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_follows" ADD CONSTRAINT "user_follows_followed_uuid_fkey" FOREIGN KEY ("followed_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_follow_notices" ADD CONSTRAINT "user_follow_notices_follower_uuid_fkey" FOREIGN KEY ("follower_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_follow_notices" ADD CONSTRAINT "user_follow_notices_followed_uuid_fkey" FOREIGN KEY ("followed_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- The counts of a profile are those of user_follows, whoever writes there: also when a user goes and the foreign keys take
-- the follows along. Rows are locked in the order of their ids, or two users who follow each other at once would wait for
-- each other. A statement counts once, however many rows it had.
-- A new follow gets its columns with the rows of both profiles locked, so that a user who is hidden meanwhile waits.
CREATE FUNCTION user_follows_made() RETURNS trigger
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

CREATE FUNCTION user_follows_ended() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  -- Of a user who is going there may be no row left; none must be made again.
  PERFORM 1 FROM user_profiles
    WHERE user_uuid IN (SELECT follower_uuid FROM ended UNION SELECT followed_uuid FROM ended)
    ORDER BY user_uuid FOR NO KEY UPDATE;
  UPDATE user_profiles p SET
    followers_count = p.followers_count - gone.followers,
    following_count = p.following_count - gone.following
  FROM (
    SELECT user_uuid, sum(followers) AS followers, sum(following) AS following FROM (
      SELECT followed_uuid AS user_uuid, 1 AS followers, 0 AS following FROM ended
      UNION ALL SELECT follower_uuid, 0, 1 FROM ended) each
    GROUP BY user_uuid) gone
  WHERE p.user_uuid = gone.user_uuid;
  RETURN NULL;
END $$;

CREATE TRIGGER user_follows_made AFTER INSERT ON user_follows
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION user_follows_made();
CREATE TRIGGER user_follows_ended AFTER DELETE ON user_follows
  REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION user_follows_ended();

CREATE FUNCTION user_is_shown(p_user uuid) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT p.is_public AND u.disabled_at IS NULL FROM users u JOIN user_profiles p ON p.user_uuid = u.uuid
    WHERE u.uuid = p_user), false)
$$;

CREATE INDEX "user_follows_followed_uuid_is_follower_shown_created_at_fol_idx" ON "user_follows"("followed_uuid", "is_follower_shown", "created_at", "follower_uuid");
CREATE INDEX "user_follows_follower_uuid_is_followed_shown_created_at_fol_idx" ON "user_follows"("follower_uuid", "is_followed_shown", "created_at", "followed_uuid");

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
