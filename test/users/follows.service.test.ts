import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import { verifies } from '../requirements.ts';
import { keyOf } from '../support/services.ts';
import { apiError, createUserServices, errorAbout, notFound, profileUuidOf } from './user-services.ts';

const { services, statements, clock, sql, someone, follows, miscounted, circle } = await createUserServices();
const { users, notifications } = services;
const day = 86_400_000;

describe('a follow', () => {
  it(
    'is there once, however often it is made and ended',
    verifies('users.follow', 'users.follow.counts', 'users.follow.events'),
    async () => {
      const [one, other] = [await someone({ isPublic: false }), await someone()];
      const counts = async () => {
        const { followersCount, isFollowedByViewer } = await users.profile(one.caller, other.username);
        const { followingCount } = await users.profile(one.caller, one.username);
        return [followersCount, followingCount, isFollowedByViewer];
      };
      for (let i = 0; i < 2; i++)
        expect(await users.follow(one.caller, other.username.toUpperCase())).toEqual({
          uuid: other.uuid,
          isFollowing: true,
        });
      expect(await counts()).toEqual([1, 1, true]);
      for (let i = 0; i < 2; i++)
        expect(await users.unfollow(one.caller, other.username)).toEqual({ uuid: other.uuid, isFollowing: false });
      expect(await counts()).toEqual([0, 0, false]);
      const data = { follower_id: one.uuid, followed_id: other.uuid };
      expect(await follows(profileUuidOf(other.caller))).toEqual([
        { type: 'user.followed', data },
        { type: 'user.unfollowed', data },
      ]);
      expect(await follows(profileUuidOf(one.caller))).toEqual([]);
    },
  );

  it(
    'of oneself, of an unknown user and of one who is not public is refused, and nothing is written',
    verifies('users.follow'),
    async () => {
      const [one, hidden, disabled] = [await someone(), await someone({ isPublic: false }), await someone()];
      await sql.query('UPDATE users SET disabled_at = now() WHERE uuid = $1', [disabled.uuid]);
      await expect(users.follow(one.caller, one.username)).rejects.toEqual(errorAbout('username'));
      for (const name of [hidden.username, disabled.username, 'nobody-at-all', 'x', '\u0000']) {
        await expect(users.follow(one.caller, name)).rejects.toEqual(notFound);
        await expect(users.unfollow(one.caller, name)).rejects.toEqual(notFound);
      }
      expect((await sql.query('SELECT FROM user_follows WHERE follower_uuid = $1', [one.uuid])).rowCount).toBe(0);
      expect(await users.unfollow(one.caller, one.username)).toMatchObject({ isFollowing: false });
    },
  );

  it('of who is not public any more goes on, and can be ended', verifies('users.follow'), async () => {
    const [one, other] = [await someone(), await someone()];
    await users.follow(one.caller, other.username);
    await users.update(other.caller, { isPublic: false });
    await users.follow(one.caller, other.username);
    await users.unfollow(one.caller, other.username);
    await expect(users.unfollow(one.caller, other.username)).rejects.toEqual(notFound);
    await expect(users.follow(one.caller, other.username)).rejects.toEqual(notFound);
    expect((await users.profile(other.caller, other.username)).followersCount).toBe(0);
  });

  it('takes a key with the scope write, and only for its own user', verifies('users.profile.keys'), async () => {
    const [one, other] = [await someone(), await someone()];
    const { caller: reader } = await keyOf(services, one.caller, { scopes: ['read'] });
    const { caller: writer } = await keyOf(services, one.caller, { scopes: ['write'] });
    for (const act of [users.follow, users.unfollow]) {
      await expect(act(reader, other.username)).rejects.toEqual(apiError('FORBIDDEN'));
      await expect(act(anonymous(), other.username)).rejects.toEqual(apiError('UNAUTHORIZED'));
    }
    await users.follow(writer, other.username);
    expect((await users.profile(one.caller, one.username)).followingCount).toBe(1);
  });

  it('is six statements the first time, four to end it, and three when there is nothing to do', async () => {
    const [one, other] = [await someone(), await someone()];
    const statementsOf = async (work: () => Promise<unknown>) => {
      statements.length = 0;
      await work();
      return statements.length;
    };
    const follow = () => users.follow(one.caller, other.username);
    expect(await statementsOf(follow)).toBe(6);
    expect(await statementsOf(follow)).toBe(3);
    expect(await statementsOf(() => users.unfollow(one.caller, other.username))).toBe(4);
    // The event alone: the notification of today was sent.
    expect(await statementsOf(follow)).toBe(4);
  });
});

describe('counts', () => {
  it('hold when 16 follow one at once, twice each, and end it at once', verifies('users.follow.counts'), async () => {
    const star = await someone();
    const fans = await Promise.all(Array.from({ length: 16 }, () => someone()));
    const all = (act: typeof users.follow | typeof users.unfollow) =>
      Promise.all([...fans, ...fans].map(({ caller }) => act(caller, star.username)));
    await all(users.follow);
    expect((await users.profile(star.caller, star.username)).followersCount).toBe(16);
    expect(await miscounted()).toBe(0);
    expect(await follows(profileUuidOf(star.caller))).toHaveLength(16);
    await all(users.unfollow);
    expect((await users.profile(star.caller, star.username)).followersCount).toBe(0);
    expect(await miscounted()).toBe(0);
  });

  it(
    'hold when all of 8 follow and unfollow each other at once, and none waits for ever',
    verifies('users.follow.counts'),
    async () => {
      const crowd = await Promise.all(Array.from({ length: 8 }, () => someone()));
      const pairs = crowd.flatMap((one) => crowd.filter((other) => other !== one).map((other) => ({ one, other })));
      const both = pairs.flatMap(({ one, other }, i) => [
        () => users.follow(one.caller, other.username),
        ...(i % 2 ? [() => users.unfollow(one.caller, other.username)] : []),
        ...(i % 5 ? [] : [() => users.update(one.caller, { bio: String(i) })]),
      ]);
      // As many at a time as answer in time: each waits for those before it.
      for (let i = 0; i < both.length; i += 16) await Promise.all(both.slice(i, i + 16).map((act) => act()));
      expect(await miscounted()).toBe(0);
      const { rows } = await sql.query(
        'SELECT count(*)::int AS count FROM user_follows WHERE follower_uuid = ANY ($1)',
        [crowd.map(({ uuid }) => uuid)],
      );
      expect(rows[0].count).toBeGreaterThanOrEqual(pairs.length / 2);
    },
  );

  it(
    'hold when 8 follow each other while they hide, show themselves and are disabled',
    verifies('users.follow.counts'),
    async () => {
      const crowd = await Promise.all(Array.from({ length: 8 }, () => someone()));
      const pairs = crowd.flatMap((one) => crowd.filter((other) => other !== one).map((other) => ({ one, other })));
      const disable = (uuid: string, at: string) =>
        sql.query(`UPDATE users SET disabled_at = ${at} WHERE uuid = $1`, [uuid]);
      const acts = pairs.flatMap(({ one, other }, i) => [
        // Of a user who is hidden now: not found.
        () => users.follow(one.caller, other.username).catch((error) => expect(error).toEqual(notFound)),
        () => users.update(one.caller, { isPublic: i % 3 === 0 }),
        ...(i % 7 ? [] : [() => disable(other.uuid, i % 2 ? 'now()' : 'NULL')]),
      ]);
      for (let i = 0; i < acts.length; i += 16) await Promise.all(acts.slice(i, i + 16).map((act) => act()));
      expect(await miscounted()).toBe(0);
      for (const { caller, uuid } of crowd) {
        await disable(uuid, 'NULL');
        await users.update(caller, { isPublic: true });
      }
      expect(await miscounted()).toBe(0);
      const uuids = crowd.map((each) => each.uuid);
      const followed = await sql.query('SELECT FROM user_follows WHERE follower_uuid = ANY ($1)', [uuids]);
      const listed = await users.counts(anonymous(), 'followers', uuids);
      expect(listed.reduce((sum, count) => sum + count, 0)).toBe(followed.rowCount);
      expect(followed.rowCount).toBeGreaterThan(0);
    },
  );

  it(
    'hold when a user goes with all that it followed and that followed it',
    verifies('users.follow.counts'),
    async () => {
      const [gone, ...others] = await Promise.all(Array.from({ length: 5 }, () => someone()));
      if (!gone) throw new Error('nobody');
      for (const other of others) {
        await users.follow(gone.caller, other.username);
        await users.follow(other.caller, gone.username);
      }
      await sql.query('DELETE FROM users WHERE uuid = $1', [gone.uuid]);
      expect(await miscounted()).toBe(0);
      for (const { caller, username } of others)
        expect(await users.profile(caller, username)).toMatchObject({ followersCount: 0, followingCount: 0 });
    },
  );

  it(
    'are there exactly when the event is: both come with the commit, or neither',
    verifies('users.follow.events'),
    async () => {
      const [one, other] = [await someone(), await someone()];
      await sql.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END';
      CREATE TRIGGER refuse BEFORE INSERT ON outbox_events FOR EACH ROW EXECUTE FUNCTION refuse()`);
      await expect(users.follow(one.caller, other.username)).rejects.toThrow();
      await sql.query('DROP FUNCTION refuse CASCADE');
      expect(await users.profile(one.caller, other.username)).toMatchObject({
        followersCount: 0,
        isFollowedByViewer: false,
      });
      await users.follow(one.caller, other.username);
      expect(await follows(profileUuidOf(other.caller))).toHaveLength(1);
    },
  );
});

describe('who is followed', () => {
  const inbox = async (caller: Parameters<typeof notifications.page>[0]) =>
    (await notifications.page(caller, {})).notifications;

  it('is notified once in 24 hours for each follower', verifies('users.follow.notice'), async () => {
    const [one, two, other] = [await someone(), await someone({ isPublic: false }), await someone()];
    const again = async (caller: typeof one.caller) => {
      await users.follow(caller, other.username);
      await users.unfollow(caller, other.username);
    };
    for (let i = 0; i < 5; i++) await again(one.caller);
    await again(two.caller);
    expect((await inbox(other.caller)).map(({ type, message, metadata }) => ({ type, message, metadata }))).toEqual([
      {
        type: 'INFO',
        message: 'A user whose profile is not public follows you now.',
        metadata: { user_id: two.uuid },
      },
      { type: 'INFO', message: `${one.username} follows you now.`, metadata: { user_id: one.uuid } },
    ]);
    clock.advance(day - 1);
    expect(await users.purgeNotices()).toBe(0);
    await again(one.caller);
    expect(await inbox(other.caller)).toHaveLength(2);
    clock.advance(1);
    await again(one.caller);
    expect(await inbox(other.caller)).toHaveLength(3);
    clock.advance(day);
    expect(await users.purgeNotices()).toBeGreaterThanOrEqual(2);
    expect((await sql.query('SELECT FROM user_follow_notices')).rowCount).toBe(0);
    await again(one.caller);
    expect(await inbox(other.caller)).toHaveLength(4);
  });

  it(
    'is told through the profile it acts as, or the oldest where there is none',
    verifies('users.follow.events', 'users.follow.notice'),
    async () => {
      const [one, two, other] = [await someone(), await someone(), await someone()];
      clock.advance(1);
      const second = await services.auth.profiles.create(other.caller, { name: 'Second' });
      await services.auth.profiles.activate(other.caller, { uuid: second.uuid });
      await users.follow(one.caller, other.username);
      expect([await follows(second.uuid), await follows(profileUuidOf(other.caller))]).toMatchObject([
        [{ type: 'user.followed' }],
        [],
      ]);
      await sql.query('UPDATE users SET active_profile_uuid = NULL WHERE uuid = $1', [other.uuid]);
      await users.follow(two.caller, other.username);
      expect(await follows(profileUuidOf(other.caller))).toMatchObject([{ type: 'user.followed' }]);
      expect(await inbox(other.caller)).toHaveLength(1);
    },
  );
});

describe('a list', () => {
  const namesIn = ([page]: Awaited<ReturnType<typeof users.lists>>) => page?.edges.map(({ node }) => node.username);

  it('shows the newest follow first and goes on by cursor', verifies('users.lists'), async () => {
    const star = await someone();
    const fans = await Promise.all(Array.from({ length: 5 }, () => someone()));
    for (const { caller } of fans) {
      await users.follow(caller, star.username);
      // Two of the same millisecond.
      if (caller !== fans[2]?.caller) clock.advance(10);
    }
    const expected = fans.map(({ username }) => username).reverse();
    const got: (string | undefined)[] = [];
    let after: string | null = null;
    for (let hasNextPage = true; hasNextPage; ) {
      const [page] = await users.lists(anonymous(), 'followers', [star.uuid], { first: 2, after });
      if (!page) throw new Error('no page');
      expect(page.edges.length).toBeLessThanOrEqual(2);
      got.push(...page.edges.map(({ node }) => node.username));
      after = page.edges.at(-1)?.cursor ?? null;
      ({ hasNextPage } = page);
    }
    expect([...got].sort()).toEqual([...expected].sort());
    expect([got[0], got[4]]).toEqual([expected[0], expected[4]]);
    expect(await users.counts(anonymous(), 'followers', [star.uuid])).toEqual([5]);
    const [fan] = fans;
    expect(namesIn(await users.lists(anonymous(), 'following', [String(fan?.uuid)], {}))).toEqual([star.username]);
  });

  it(
    'shows only public users and the caller, and nothing of users who are not public',
    verifies('users.lists'),
    async () => {
      const [star, shown, hidden, disabled] = [
        await someone(),
        await someone(),
        await someone({ isPublic: false }),
        await someone(),
      ];
      for (const { caller } of [shown, hidden, disabled]) await users.follow(caller, star.username);
      await sql.query('UPDATE users SET disabled_at = now() WHERE uuid = $1', [disabled.uuid]);
      const followers = async (caller: typeof star.caller) => {
        const names = namesIn(await users.lists(caller, 'followers', [star.uuid], {}));
        expect(await users.counts(caller, 'followers', [star.uuid])).toEqual([names?.length]);
        return names?.sort();
      };
      expect(await followers(anonymous())).toEqual([shown.username]);
      expect(await followers(star.caller)).toEqual([shown.username]);
      expect(await followers(hidden.caller)).toEqual([hidden.username, shown.username].sort());
      expect((await users.profile(anonymous(), star.username)).followersCount).toBe(3);
      const following = (caller: typeof star.caller) => users.lists(caller, 'following', [hidden.uuid], {});
      expect(namesIn(await following(star.caller))).toEqual([]);
      expect(namesIn(await following(hidden.caller))).toEqual([star.username]);
      expect(await users.counts(star.caller, 'following', [hidden.uuid])).toEqual([0]);
    },
  );

  it.each([{ first: 101 }, { first: -1 }, { first: 1.5 }, { after: 'x' }])('refuses %j by name', async (input) => {
    const [field] = Object.keys(input);
    await expect(users.lists(anonymous(), 'followers', [], input)).rejects.toEqual(errorAbout(String(field)));
  });

  it('is three statements, of 100 users with 100 followers each as of one', verifies('users.statements'), async () => {
    const uuids = await circle(101);
    expect(await miscounted()).toBe(0);
    for (const owners of [uuids.slice(0, 1), uuids.slice(0, 100)]) {
      statements.length = 0;
      const pages = await users.lists(anonymous(), 'followers', owners, { first: 100 }, false);
      expect(pages.map(({ edges }) => edges.length)).toEqual(owners.map(() => 100));
      expect(await users.counts(anonymous(), 'followers', owners)).toEqual(owners.map(() => 100));
      // The users, whom they lead to, and these one's servers; the count is one more.
      expect(statements).toHaveLength(4);
    }
  });
});
