import { describe, expect, it } from 'vitest';
import { notificationJobs } from '../../src/notifications/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import { verifies } from '../requirements.ts';
import { createNotificationServices, make, messages } from './notification-services.ts';

const { services, clock, someone } = await createNotificationServices();
const { notifications } = services;
const day = 86_400_000;
const run = () => notificationJobs(notifications)[0]?.run();
const left = async (caller: Awaited<ReturnType<typeof someone>>) =>
  messages((await notifications.page(caller, {})).notifications);

describe('the retention of notifications', () => {
  it(
    'removes those that were read after the retention, unread ones after twice as long',
    verifies('notifications.retention'),
    async () => {
      const { NOTIFICATION_RETENTION_DAYS: days } = readConfig({ NODE_ENV: 'test' });
      const caller = await someone();
      for (const message of ['read', 'unread']) await make(services, caller, message);
      const [, read] = (await notifications.page(caller, {})).notifications;
      await notifications.markRead(caller, read?.uuid ?? '');
      clock.advance(days * day);
      expect([await run(), await left(caller)]).toEqual([0, ['unread', 'read']]);
      clock.advance(1);
      await make(services, caller, 'new');
      expect([await run(), await left(caller)]).toEqual([1, ['new', 'unread']]);
      clock.advance(days * day);
      const counts = await notifications.unreadCountChanged(caller);
      expect((await counts.next()).value).toBe(2);
      expect([await run(), await left(caller)]).toEqual([1, ['new']]);
      // Subscribers of the unread count are signalled.
      expect((await counts.next()).value).toBe(1);
      await counts.return();
    },
  );

  it('removes more than one statement can, and skips locked rows', verifies('notifications.retention'), async () => {
    const stage = await createNotificationServices();
    const caller = await stage.someone();
    await stage.fill(caller, 2_500);
    stage.clock.advance(365 * day);
    await stage.sql.query('BEGIN');
    await stage.sql.query('SELECT 1 FROM notifications WHERE seq = 7 FOR UPDATE');
    expect(await stage.services.notifications.purge()).toBe(2_499);
    await stage.sql.query('COMMIT');
    expect(await stage.services.notifications.purge()).toBe(1);
  });
});
