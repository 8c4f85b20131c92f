import { describe, expect, it, onTestFinished } from 'vitest';
import { createApiKeys } from '../../../src/auth/api-keys.ts';
import { createLiveCredentials } from '../../../src/main/graphql/live-credentials.ts';
import { openInfrastructure } from '../../../src/main/infrastructure.ts';
import { startWorkers } from '../../../src/main/process/workers.ts';
import { createServices } from '../../../src/main/services.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { createOutages } from '../../../src/platform/database/outages.ts';
import { ApiError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { createSearchCounter } from '../../../src/search/counter.ts';
import { eventually } from '../../support/deadline.ts';
import { createWebhookStage } from '../../support/delivery-stage.ts';
import { keyOf, signUp } from '../../support/services.ts';
import { createTcpProxy } from '../../support/tcp-proxy.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly error?: { message: string; stack?: string };
}

function loggedLines() {
  const lines: Line[] = [];
  return { lines, log: createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }) };
}

const messages = (lines: readonly Line[]) => lines.map(({ msg }) => msg);
const goes = 'the database does not answer; background work waits for it';
const isBack = 'the database answers again';

describe('while the database is away', () => {
  it('everything that runs in the background says so once, and once when it is back', async () => {
    const stage = await createWebhookStage();
    const proxy = await createTcpProxy(stage.url);
    onTestFinished(() => proxy.close());
    const { lines, log } = loggedLines();
    const config = readConfig({ ...stage.environment, DATABASE_URL: proxy.url });
    const infrastructure = await openInfrastructure({ config, url: proxy.url, log, isWorker: true });
    const services = createServices(infrastructure);
    const stopWorkers = startWorkers({ services, infrastructure, jobs: [] });
    const { registry, database } = infrastructure;
    const none = async () => 0;
    const metrics = createMetrics({ registry, pool: database.pool, outboxSeconds: none, outboxSetAside: none });
    const live = createLiveCredentials({ auth: services.auth, metrics, log, report: database.report });
    onTestFinished(async () => {
      live.stop();
      await stopWorkers();
      await infrastructure.close();
    });
    const { principal } = stage.caller;
    if (principal === null) throw new Error('a key has a principal');
    live.watch(principal, () => undefined);
    await services.webhooks.sendDue();
    // A signal causes a read of the notifications of a watched profile.
    const watched = [
      await services.notifications.added(stage.caller),
      await services.notifications.unreadCountChanged(stage.caller),
    ];
    onTestFinished(async () => void (await Promise.all(watched.map((each) => each.return()))));
    const hint = () => infrastructure.events.publish(`notifications:${principal.profileUuid}`, 'created');
    // Keys that were not used for a minute: the time of use is written behind the request, which had its answer.
    const { secret } = await keyOf(stage.services, await signUp(stage.services));
    const keys = createApiKeys({ database: { ...database, read: stage.database.read }, clock: systemClock });
    const counter = createSearchCounter(infrastructure);

    await proxy.cut();
    await eventually('it is logged', () => messages(lines).includes(goes));
    // Each of these fails: what they report is what the loops report, again and again.
    for (let round = 0; round < 20; round++) {
      for (const failing of [live.check(), services.webhooks.sendDue(), services.analytics.trending.rollUp()])
        await failing.catch((error: unknown) => database.report(error, 'a loop failed'));
      hint();
      counter.searched(stage.caller, `weather ${round}`, [], true);
      await expect(counter.flush()).rejects.toThrow();
    }
    expect(await keys.verify(secret)).toMatchObject({ kind: 'key' });
    await proxy.restore();
    await eventually('it is logged', () => messages(lines).includes(isBack));
    expect(messages(lines)).toEqual([goes, isBack]);
    expect(lines.every(({ error }) => error === undefined)).toBe(true);
  }, 60_000);
});

describe('a failure in the background', () => {
  const unavailable = new ApiError('UNAVAILABLE', 'The database is not available; try again', {
    cause: new Error('Query read timeout'),
  });

  it('that says the database is away, while it answers, is logged with what failed', async () => {
    const { lines, log } = loggedLines();
    const { report } = createOutages({ log, ping: async () => undefined });
    report(unavailable, 'this was too slow', { events: 3 });
    await eventually('it is logged', () => lines.length > 0);
    expect(lines).toMatchObject([{ level: 40, msg: 'this was too slow', events: 3 }]);
  });

  it('of any other kind is logged at once, also while the database is away', async () => {
    const { lines, log } = loggedLines();
    const outages = createOutages({ log, ping: () => Promise.reject(unavailable) });
    onTestFinished(outages.close);
    outages.report(unavailable, 'this was away');
    await eventually('it is logged', () => lines.length > 0);
    outages.report(unavailable, 'this was away');
    outages.report(new Error('a mistake of ours'), 'this failed');
    expect(lines).toMatchObject([
      { level: 40, msg: goes, reason: 'Query read timeout' },
      { level: 40, msg: 'this failed', error: { message: 'a mistake of ours' } },
    ]);
  });

  it('two outages are two pairs of lines', async () => {
    const { lines, log } = loggedLines();
    let isAway = true;
    const ping = async () => {
      if (isAway) throw unavailable;
    };
    const outages = createOutages({ log, ping });
    onTestFinished(outages.close);
    for (const [count, is] of [
      [1, true],
      [2, false],
      [3, true],
      [4, false],
    ] as const) {
      isAway = is;
      if (is) outages.report(unavailable, 'this was away');
      await eventually('it is logged', () => lines.length === count);
    }
    expect(messages(lines)).toEqual([goes, isBack, goes, isBack]);
  });
});
