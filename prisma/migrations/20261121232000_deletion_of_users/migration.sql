-- Whoever deletes a user takes the user's servers along. They are held first, and in the order in which everybody holds several:
-- somebody who installs them meanwhile holds a server, and then asks for the profile of its owner.
CREATE FUNCTION hold_servers_of_user() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM mcp_servers s JOIN profiles p ON p.uuid = s.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
    WHERE j.user_uuid = OLD.uuid ORDER BY s.uuid FOR UPDATE OF s;
  RETURN OLD;
END $$;

CREATE TRIGGER users_hold_servers BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION hold_servers_of_user();
