import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { EventPayloads } from '../../event-catalogue/index.ts';
import { authorize, type Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { parse } from '../../platform/input/input.ts';
import type { Events } from '../../platform/messaging/events.ts';
import type { Outbox } from '../../platform/messaging/outbox.ts';
import { type Queue, queuesChannel } from '../../platform/messaging/queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { ReportRequest } from '../input.ts';
import type { Notify } from '../refresh-alerts.ts';
import type { OauthServers } from '../servers.ts';
import { createReportPublisher } from './report-events.ts';
import { type Grade, type Report, rules } from './rules.ts';
import * as statements from './statements.ts';
import type { Outcome, RuleSeverity } from './verdict.ts';

/** The latest report of a server. */
export interface ServerReport {
  readonly serverUuid: string;
  readonly checkedAt: Date;
  readonly grade: Grade | null;
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
  readonly unknown: number;
}

export interface RuleOutcome {
  readonly rule: string;
  readonly title: string;
  readonly source: string;
  readonly severity: RuleSeverity;
  readonly outcome: Outcome;
  readonly evidence: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** When this outcome was first seen; while it is unknown, when the one before was. */
  readonly since: Date;
}

export interface ReportChange {
  readonly rule: string;
  readonly title: string;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly at: Date;
}

/** The queued servers of a host. */
export interface HostRun {
  readonly origin: string;
  /** The server whose owner has asked for it; null for the run of the week. */
  readonly serverUuid: string | null;
}

export type Reports = ReturnType<typeof createReports>;

/** Authorization reports as they are stored, shown and asked for. */
export function createReports(
  deps: Pick<Platform, 'database' | 'clock'> & {
    readonly events: Pick<Events, 'publish'>;
    readonly queue: Pick<Queue, 'send'>;
    readonly outbox: Outbox<EventPayloads>;
    readonly notify: Notify;
    readonly servers: OauthServers;
  },
) {
  const { database, clock, events, queue, servers } = deps;
  const publishReport = createReportPublisher(deps);

  /**
   * Puts a run of a server's host into the queue, for the owner of the server, which may be private.
   *
   * @throws {ApiError} `NOT_FOUND` for a server that is not of the caller's profile; `CONFLICT` for stdio, for a server that omits
   *   its report, and where the latest run of the host is less than 24 hours ago.
   */
  async function request(caller: Caller, input: z.input<typeof ReportRequest>): Promise<string> {
    const { profileUuid } = authorize(caller, 'oauth:write');
    const { serverUuid } = parse(ReportRequest, input);
    const server = await servers.ofProfile(serverUuid, profileUuid);
    if (server === null) throw new ApiError('NOT_FOUND', 'Server not found');
    const { uuid, url } = server;
    if (url === null) throw new ApiError('CONFLICT', 'Servers of the transport stdio have no authorization');
    if (server.omitsReport) throw new ApiError('CONFLICT', 'The settings of the server omit its report');
    const { origin } = new URL(url);
    const now = clock.now();
    await database.transaction(async (tx) => {
      await tx.query(statements.removeOthers([{ uuid, url }]));
      await tx.query(statements.list([{ uuid, url, origin }], now));
      const [taken] = await tx.query(statements.takeAsked(origin, now));
      if (!taken) {
        const [row] = await tx.query<{ run_at: Date }>(statements.latestRun(origin));
        const nextAt = (row?.run_at ?? now).getTime() + statements.requestHours * 3_600_000;
        throw new ApiError('CONFLICT', 'The host of the server was checked less than 24 hours ago', {
          retryAfter: Math.max(1, Math.ceil((nextAt - now.getTime()) / 1_000)),
        });
      }
      await queue.send(tx, 'authorization-reports', [{ origin, serverUuid: uuid } satisfies HostRun]);
    });
    events.publish(queuesChannel, 'authorization-reports');
    return uuid;
  }

  /**
   * Replaces the report of a server, stores the changes, and notifies its owner of rules that newly fail or pass. An
   * unknown outcome is not compared: it says nothing about the server.
   *
   * @returns Whether it was stored: not if the url of the server has changed, or the server omits its report.
   */
  async function store({ uuid, url }: statements.ServerUrl, { grade, counts, evaluated }: Report): Promise<boolean> {
    const now = clock.now();
    const announce = await database.transaction(async (tx) => {
      const [held] = await tx.query<statements.HeldRow>(statements.hold(uuid, url));
      if (!held) return null;
      const rows = await tx.query<statements.LastOutcomeRow>(statements.lastOutcomes(uuid));
      const last = new Map(rows.map((row) => [row.rule, row.known_outcome as Outcome | null]));
      const changes = evaluated.flatMap(({ rule, verdict: { outcome: after } }) => {
        const before = last.get(rule) ?? null;
        const isChange = before !== null && after !== 'unknown' && before !== after;
        return isChange ? [{ uuid: randomUUID(), rule, before, after }] : [];
      });
      const outcomes = evaluated.map(({ rule, verdict: { outcome, evidence, facts } }) => ({
        rule,
        outcome,
        evidence,
        facts: JSON.stringify(facts),
      }));
      await tx.query(statements.store(uuid, outcomes, now));
      if (changes.length > 0) await tx.query(statements.record(uuid, changes, now));
      await tx.query(statements.finish(uuid, { grade, counts }, now));
      const worse = changes.filter(({ after }) => after === 'failed').map(({ rule }) => rule);
      const recovered = changes
        .filter(({ before, after }) => before === 'failed' && after === 'passed')
        .map(({ rule }) => rule);
      if (!held.has_owner || worse.length + recovered.length === 0) return () => {};
      const { slug, profile_uuid: profileUuid } = held;
      return publishReport(tx, { serverUuid: uuid, slug, profileUuid, checkedAt: now, grade, worse, recovered });
    });
    announce?.();
    return announce !== null;
  }

  /** Removes the report of a server, as part of the transaction that switches it off. */
  async function forget(tx: Pick<Database, 'query'>, serverUuid: string): Promise<void> {
    await tx.query(statements.remove(serverUuid));
  }

  /**
   * The latest reports of servers, in the order of their uuids and in one statement; null for a server that was not checked and for
   * one that the caller may not see.
   *
   * @param uuids Well-formed.
   */
  async function of(caller: Caller, uuids: readonly string[]): Promise<(ServerReport | null)[]> {
    const rows = await database.query<statements.ReportRow>(statements.reports(uuids, profileOf(caller)));
    const byServer = new Map(rows.map((row) => [row.server_uuid, row]));
    return uuids.map((uuid) => {
      const row = byServer.get(uuid);
      if (!row) return null;
      const { checked_at: checkedAt, grade, passed, failed, not_applicable: notApplicable, unknown } = row;
      return { serverUuid: uuid, checkedAt, grade: grade as Grade | null, passed, failed, notApplicable, unknown };
    });
  }

  /** The outcomes of the same, in the order of the rules. */
  async function outcomesOf(caller: Caller, uuids: readonly string[]): Promise<RuleOutcome[][]> {
    const rows = await database.query<statements.OutcomeRow>(statements.outcomes(uuids, profileOf(caller)));
    const byServer = Map.groupBy(rows, (row) => row.server_uuid);
    return uuids.map((uuid) => {
      const byRule = new Map(byServer.get(uuid)?.map((row) => [row.rule, row]));
      return [...rules].flatMap(([rule, { title, source, severity }]) => {
        const row = byRule.get(rule);
        if (!row) return [];
        const { evidence, facts, since } = row;
        return [{ rule, title, source, severity, outcome: row.outcome as Outcome, evidence, facts, since }];
      });
    });
  }

  /** The changes of the same, the newest first: at most 50 of each. */
  async function changesOf(caller: Caller, uuids: readonly string[]): Promise<ReportChange[][]> {
    const rows = await database.query<statements.ChangeRow>(statements.changes(uuids, profileOf(caller)));
    const byServer = Map.groupBy(rows, (row) => row.server_uuid);
    return uuids.map((uuid) =>
      (byServer.get(uuid) ?? []).map(({ rule, before, after, at }) => ({
        rule,
        title: rules.get(rule)?.title ?? rule,
        before: before as Outcome,
        after: after as Outcome,
        at,
      })),
    );
  }

  return { request, store, forget, of, outcomesOf, changesOf };
}

const profileOf = ({ principal }: Caller): string | null => principal?.profileUuid ?? null;
