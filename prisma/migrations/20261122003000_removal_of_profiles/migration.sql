-- What is deleted disappears at once and is removed afterwards, as many rows at a time as one statement can take.
ALTER TABLE "users" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "projects" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "profiles" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);

-- For the job that removes them: these indexes hold nothing else.
CREATE INDEX "users_deleted" ON "users" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "projects_deleted" ON "projects" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "profiles_deleted" ON "profiles" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- Deleting a profile takes its servers along. As for users, they are locked first, in the order in which every transaction locks
-- several servers: a transaction that installs one of them locks the server, and then the profile of its owner.
CREATE FUNCTION hold_servers_of_profile() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM mcp_servers WHERE profile_uuid = OLD.uuid ORDER BY uuid FOR UPDATE;
  RETURN OLD;
END $$;

CREATE TRIGGER profiles_hold_servers BEFORE DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION hold_servers_of_profile();
