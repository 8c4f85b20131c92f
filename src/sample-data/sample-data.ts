import { randomBytes, randomUUID } from 'node:crypto';
import type { Auth } from '../auth/index.ts';
import { createServices, type Infrastructure } from '../main/services.ts';
import { anonymous, type Caller, type Source } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError, isApiError } from '../platform/errors.ts';
import { isUuid } from '../platform/input/input.ts';
import { createLocalEvents } from '../platform/messaging/events.ts';
import { catalogue } from './catalogue.ts';
import { chaptersOfOwner, chaptersOfPeople } from './chapters.ts';
import { askSampleQuestion } from './chat.ts';
import { people } from './people.ts';
import { type Stage, storyDays, tell, type Who } from './story.ts';

const dayMs = 86_400_000;

/** The people's story has its seed, and so has that of a profile; any two numbers. */
const seeds = { people: 20_261_121, owner: 7 } as const;

export interface SampleDataOptions {
  readonly infrastructure: Infrastructure;
  readonly profileUuid: string;
  /** Only continues an interrupted run. */
  readonly isResumedOnly?: boolean;
  /** Ends it after the day that is being written. */
  readonly signal?: AbortSignal;
}

export interface SampleDataResult {
  /** False where the profile had all of it before, or where nothing was begun that could be gone on with. */
  readonly isAdded: boolean;
  /** When the profile was given it. */
  readonly since: Date | null;
}

/**
 * Fills a profile with a month of sample data, once: the actions of a story through the services, at their times, a day
 * in a transaction. So every rule holds and nothing is created twice, even if processes are killed or run at the same
 * time.
 *
 * @throws {ApiError} `NOT_FOUND` for a profile that does not exist.
 */
export async function addSampleData(options: SampleDataOptions): Promise<SampleDataResult> {
  const { infrastructure, profileUuid, isResumedOnly = false, signal } = options;
  const { database, clock } = infrastructure;
  const owner = isUuid(profileUuid) ? await callerOf(database, profileUuid) : null;
  if (owner === null) throw new ApiError('NOT_FOUND', 'Profile not found');
  const before = await database.prisma.sampleProfile.findUnique({ where: { profileUuid } });
  const hasAll = before !== null && before.daysDone >= storyDays;
  if (hasAll || (isResumedOnly && before === null)) return { isAdded: false, since: before?.createdAt ?? null };
  const now = clock.now();
  // Noted first, so that a run that is killed from here on is resumed by the next one.
  const since = await begin(database, profileUuid, null, now);
  const existing = await peopleOf(infrastructure, now);
  const callers = new Map<Who, Caller>([...existing.callers, ['owner', owner]]);
  const write = createWriter(infrastructure, callers, signal);
  await write(existing.profileUuid, tell(seeds.people, chaptersOfPeople));
  await write(profileUuid, tell(seeds.owner, chaptersOfOwner));
  // Trends and corrections of misspelt words are there with the rest, also where no worker runs.
  const services = createServices(infrastructure);
  await services.analytics.trending.rollUp();
  await services.search.upkeep.takeUpWords();
  await askSampleQuestion(services, database, owner);
  return { isAdded: true, since };
}

/** Notes that a profile has a story. @returns When it ends. */
async function begin(
  { prisma }: Pick<Database, 'prisma'>,
  profileUuid: string,
  person: string | null,
  now: Date,
): Promise<Date> {
  await prisma.sampleProfile.createMany({ data: { profileUuid, person, createdAt: now }, skipDuplicates: true });
  return (await prisma.sampleProfile.findUniqueOrThrow({ where: { profileUuid } })).createdAt;
}

/** The sample people, signed up if they are not there. The first one's profile notes how far their story is. */
async function peopleOf(
  infrastructure: Infrastructure,
  now: Date,
): Promise<{ profileUuid: string; callers: Map<Who, Caller> }> {
  return infrastructure.database.transaction(async (tx) => {
    // Of two at once the second finds them all.
    await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [seeds.people] });
    const started = new Date(now.getTime() - (storyDays + 1) * dayMs);
    const { auth } = createServices({ ...infrastructure, database: tx, clock: standing(started) });
    const rows = await tx.prisma.sampleProfile.findMany({ where: { person: { not: null } } });
    const callers = new Map<Who, Caller>();
    for (const { name } of people) {
      const row = rows.find(({ person }) => person === name);
      const profileUuid = row?.profileUuid ?? (await signUp(auth, name));
      if (!row) await begin(tx, profileUuid, name, now);
      callers.set(name, (await callerOf(tx, profileUuid)) as Caller);
    }
    return { profileUuid: String(callers.get(people[0]?.name as Who)?.principal?.profileUuid), callers };
  });
}

/** @returns The profile of a new user, who gets another name if the person's is taken. */
async function signUp(auth: Auth, name: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const sign = (username: string) =>
    auth.accounts.signUp(anonymous(), { email: `${username}@sample.patchbay.example`, username, password });
  const { principal } = await sign(`sample-${name}`).catch((error: unknown) => {
    if (isApiError(error) && error.code === 'CONFLICT') return sign(`sample-${name}-${randomBytes(4).toString('hex')}`);
    throw error;
  });
  return principal.profileUuid;
}

/** The owner of a profile, as if signed in. */
async function callerOf({ prisma }: Pick<Database, 'prisma'>, profileUuid: string): Promise<Caller | null> {
  const profile = await prisma.profile.findUnique({ where: { uuid: profileUuid }, include: { project: true } });
  if (profile === null) return null;
  const { projectUuid, project } = profile;
  const scopes = new Set(['read', 'write', 'admin'] as const);
  const whose = { credentialUuid: randomUUID(), userUuid: project.userUuid, projectUuid, profileUuid };
  return { principal: { kind: 'session', ...whose, scopes, source: 'ui', isAdmin: false, tier: 'free' }, address: '' };
}

const standing = (instant: Date): Clock => ({ now: () => instant, pinned: () => instant });

/** Writes the days of a story that are not written yet, each with the note that it is, or not at all. */
function createWriter(
  infrastructure: Infrastructure,
  callers: ReadonlyMap<Who, Caller>,
  signal: AbortSignal | undefined,
) {
  const servers = new Map<string, string>();

  return async function write(profileUuid: string, days: ReturnType<typeof tell>): Promise<void> {
    const { daysDone, createdAt: end } = await infrastructure.database.prisma.sampleProfile.findUniqueOrThrow({
      where: { profileUuid },
    });
    for (let day = daysDone; day < days.length; day++) {
      signal?.throwIfAborted();
      await infrastructure.database.transaction(async (tx) => {
        const [row] = await tx.query<{ days_done: number }>({
          text: 'SELECT days_done FROM sample_profiles WHERE profile_uuid = $1 FOR UPDATE',
          values: [profileUuid],
        });
        // Another process has written it since.
        if (row?.days_done !== day) return;
        let instant = end;
        const stage = stageOf(tx, { now: () => instant, pinned: () => instant });
        for (const { daysAgo, run } of days[day] ?? []) {
          instant = new Date(Math.round(end.getTime() - daysAgo * dayMs));
          await run(stage);
        }
        await tx.query({
          text: 'UPDATE sample_profiles SET days_done = $2 WHERE profile_uuid = $1',
          values: [profileUuid, day + 1],
        });
      });
    }
  };

  function stageOf(tx: Database, clock: Clock): Stage {
    // Subscribers do not receive a month of events; the outbox delivers those that must arrive. No job is queued, for
    // the same reason.
    const quiet = { events: createLocalEvents(), queue: { ...infrastructure.queue, send: async () => {} } };
    const as = (who: Who, source: Source = 'ui'): Caller => {
      const { principal, address } = callers.get(who) as Caller & { principal: NonNullable<Caller['principal']> };
      return { principal: { ...principal, source }, address };
    };
    return {
      database: tx,
      clock,
      // The reconciler sees an agent after the commit, so nothing waits for it.
      services: createServices({
        ...infrastructure,
        ...quiet,
        agents: { ...infrastructure.agents, settleMs: 0 },
        database: tx,
        clock,
      }),
      as,
      async server(name) {
        const known = servers.get(name);
        if (known) return known;
        const by = catalogue.find(({ input }) => input.name === name)?.by as Who;
        const where = { profileUuid: String(as(by).principal?.profileUuid), name };
        const { uuid } = await tx.prisma.mcpServer.findFirstOrThrow({ where, select: { uuid: true } });
        servers.set(name, uuid);
        return uuid;
      },
    };
  }
}
