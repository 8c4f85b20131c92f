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
CREATE INDEX "user_follows_followed_uuid_created_at_follower_uuid_idx" ON "user_follows"("followed_uuid", "created_at", "follower_uuid");

-- CreateIndex
CREATE INDEX "user_follows_follower_uuid_created_at_followed_uuid_idx" ON "user_follows"("follower_uuid", "created_at", "followed_uuid");

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
