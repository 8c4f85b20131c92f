import { describe, expect, it } from 'vitest';
import { visibilities } from '../../src/clipboard/input.ts';
import * as statements from '../../src/clipboard/statements.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { eventually } from '../support/deadline.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';

const { services, database, clock } = await createTestServices();
const { clipboard, auth } = services;
const profileOf = ({ principal }: Caller) => String(principal?.profileUuid);

describe('A23: an entry, read by its id', () => {
  it('is shown to its profile, of visibility workspace to its project, and of visibility public to everybody', async () => {
    const user = await signUp(services);
    const { caller: owner } = await keyOf(services, user);
    const second = await auth.profiles.create(user, { name: 'second' });
    const { caller: colleague } = await keyOf(services, user, { profileUuid: second.uuid });
    const { caller: foreigner } = await keyOf(services, await signUp(services));
    const entries = await Promise.all(
      visibilities.map((visibility) => clipboard.set(owner, { name: visibility, value: 'v', visibility })),
    );
    const stack = await Promise.all(
      visibilities.map((visibility) => clipboard.push(owner, { value: 'v', visibility })),
    );
    for (const given of [entries, stack]) {
      const uuids = given.map(({ uuid }) => uuid);
      const shown = async (caller: Caller) => (await clipboard.find(caller, uuids)).map((entry) => entry !== null);
      // Private, workspace, public.
      expect(await shown(owner)).toEqual([true, true, true]);
      expect(await shown(colleague)).toEqual([false, true, true]);
      expect(await shown(foreigner)).toEqual([false, false, true]);
    }
  });
});

describe('F05: a cursor', () => {
  it.each(['n:1:x', 'n:1', 'n::', 's:x', 's:1:2', 'x:1', 'n:9999999999999999:x', "n:1:' OR 1=1"])(
    'of the text %s is VALIDATION_ERROR, and never reaches the database',
    async (text) => {
      const { caller } = await keyOf(services, await signUp(services));
      const after = Buffer.from(text).toString('base64url');
      await expect(clipboard.connection(caller, { after })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { after: expect.any(String) },
      });
    },
  );
});

describe('A06: a set while the profile is cleared', () => {
  it('waits for the clear, and survives it', async () => {
    const { caller } = await keyOf(services, await signUp(services));
    await clipboard.set(caller, { name: 'before', value: 'v' });
    let setting: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      expect(await tx.query(statements.clear(profileOf(caller), clock.pinned()))).toEqual([{ count: 1 }]);
      setting = clipboard.set(caller, { name: 'meanwhile', value: 'v' });
      await eventually('it waits', async () => {
        const [waiting] = await database.query({
          text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        });
        return waiting !== undefined;
      });
    });
    await setting;
    expect((await clipboard.page(caller, {})).entries.map(({ name }) => name)).toEqual(['meanwhile']);
  });
});
