import type { EventPayloads } from '../../event-catalogue/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Outbox } from '../../platform/messaging/outbox.ts';
import type { Notify } from '../refresh-alerts.ts';
import { type Grade, rules } from './rules.ts';

/** Rules whose titles a notification repeats; the rest is counted. */
const titlesMax = 5;

/** The changes that the owner of a server receives: rules that newly fail, and rules that pass again. */
export interface ReportChange {
  readonly serverUuid: string;
  readonly slug: string;
  readonly profileUuid: string;
  readonly checkedAt: Date;
  readonly grade: Grade | null;
  readonly worse: readonly string[];
  readonly recovered: readonly string[];
}

/** Notifies the owner and emits webhook events, in the transaction that stores the report. */
export function createReportPublisher({ outbox, notify }: { outbox: Outbox<EventPayloads>; notify: Notify }) {
  /** @returns To be called after the commit. */
  return async function publishReport(tx: Pick<Database, 'query'>, change: ReportChange): Promise<() => void> {
    const { serverUuid, slug, profileUuid, checkedAt, grade, worse, recovered } = change;
    await outbox.write(tx, {
      profileUuid,
      type: 'server.authorization_report_changed',
      data: {
        server_uuid: serverUuid,
        checked_at: checkedAt.toISOString(),
        grade,
        worse: [...worse],
        recovered: [...recovered],
      },
    });
    const severity = worse.length > 0 ? 'WARNING' : 'SUCCESS';
    const announce = await notify(tx, profileUuid, {
      type: severity,
      severity,
      title: worse.length > 0 ? `The authorization of ${slug} got worse` : `The authorization of ${slug} has recovered`,
      message: [...sentences('Fails now', worse), ...sentences('Passes again', recovered)].join('\n'),
      metadata: { server_id: serverUuid },
    });
    return () => {
      announce();
      outbox.wake();
    };
  };
}

function sentences(beginning: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const titles = ids.slice(0, titlesMax).map((id) => rules.get(id)?.title ?? id);
  const rest = ids.length - titles.length;
  return [`${beginning}: ${titles.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`];
}
