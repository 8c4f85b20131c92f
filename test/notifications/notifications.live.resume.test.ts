import { describe, expect, it } from 'vitest';
import type { Notification } from '../../src/notifications/notification.ts';
import { createDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createLocalEvents } from '../../src/platform/messaging/events.ts';
import { verifies } from '../requirements.ts';
import { randomOf } from '../strict/random.ts';
import { eventually } from '../support/deadline.ts';
import { apiError, createNotificationServices, make, messages, profileOf, take } from './notification-services.ts';
import { createUnreliableEvents } from './unreliable-events.ts';

const { url, sql, servicesWith, someone, fill } = await createNotificationServices();

describe('added, since a notification', () => {
  it('delivers missed notifications first, then new ones', verifies('notifications.live.resume'), async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const first = await make(services, caller, 'had');
    await fill(caller, 250);
    const stream = await services.notifications.added(caller, { sinceId: first.uuid });
    await make(services, caller, 'live');
    expect(messages(await take(stream, 251))).toEqual([
      ...Array.from({ length: 250 }, (_, i) => String(i + 2)),
      'live',
    ]);
    await stream.return();
  });

  it('ends while it is still replaying, when the subscriber stops', async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const { uuid: sinceId } = await make(services, caller);
    await fill(caller, 150);
    const stream = await services.notifications.added(caller, { sinceId });
    await take(stream, 3);
    const next = stream.next();
    await stream.return();
    await next;
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('makes up for 1 000, and says what to do about more', verifies('notifications.live.resume'), async () => {
    const services = servicesWith(createLocalEvents());
    const caller = await someone();
    const { uuid: sinceId } = await make(services, caller);
    await fill(caller, 1_000);
    const stream = await services.notifications.added(caller, { sinceId });
    expect(await take(stream, 1_000)).toHaveLength(1_000);
    await stream.return();
    await fill(caller, 1);
    await expect(services.notifications.added(caller, { sinceId })).rejects.toEqual(
      apiError('VALIDATION_ERROR', { details: { sinceId: expect.stringContaining('more than 1000') } }),
    );
  });

  it(
    "is NOT_FOUND for one that was deleted and for another tenant's, as for one that never was (F07)",
    verifies('notifications.not-found'),
    async () => {
      const services = servicesWith(createLocalEvents());
      const [caller, otherTenant] = [await someone(), await someone()];
      const deleted = await make(services, caller);
      await services.notifications.remove(caller, deleted.uuid);
      const foreign = await make(services, otherTenant);
      for (const { uuid: sinceId } of [deleted, foreign])
        await expect(services.notifications.added(caller, { sinceId })).rejects.toEqual(apiError('NOT_FOUND'));
    },
  );

  it(
    'loses and repeats nothing: two processes create at once, signals are late, doubled, out of order or lost, and connections break',
    verifies('notifications.live.resume', 'notifications.order'),
    async () => {
      const random = randomOf(7);
      const events = createUnreliableEvents({ processes: 2, random, lossRate: 0.2 });
      const two = createDatabase({ url, log: createLogger('silent') });
      const [left, right] = [servicesWith(events.ofProcess(0)), servicesWith(events.ofProcess(1), two)];
      const caller = await someone();
      const start = await make(left, caller, 'start');
      const each = 60;
      const creators = [left, left, right, right].map(async (services, creator) => {
        for (let i = 0; i < each; i++) await make(services, caller, `${creator}:${i}`);
      });
      let isOver = false;
      /** Listens at one process or the other, and is thrown out again and again; takes up where it was. */
      const listen = async (): Promise<Notification[]> => {
        const heard: Notification[] = [];
        while (heard.at(-1)?.message !== 'end') {
          const { notifications } = random() < 0.5 ? left : right;
          const stream = await notifications.added(caller, { sinceId: (heard.at(-1) ?? start).uuid });
          const staysFor = isOver ? Number.POSITIVE_INFINITY : 1 + random() * 30;
          for (let i = 0; i < staysFor; i++) {
            // A subscriber without events for a while is closed too.
            const next = await Promise.race([
              stream.next(),
              new Promise<null>((resolve) => setTimeout(resolve, 50, null)),
            ]);
            if (next === null || next.done) break;
            heard.push(next.value);
            if (next.value.message === 'end') break;
          }
          await stream.return();
        }
        return heard;
      };
      const listening = Promise.all(Array.from({ length: 6 }, listen));
      await Promise.all(creators);
      isOver = true;
      await make(right, caller, 'end');
      const { rows } = await sql.query(
        'SELECT uuid FROM notifications WHERE profile_uuid = $1 AND seq > 1 ORDER BY seq',
        [profileOf(caller)],
      );
      expect(rows).toHaveLength(4 * each + 1);
      for (const heard of await listening) expect(heard.map(({ uuid }) => uuid)).toEqual(rows.map(({ uuid }) => uuid));
      await eventually('every subscription is returned', () => events.open() === 0);
      await two.close();
    },
  );
});
