import type { Clock } from '../platform/clock.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError, type EgressReason } from '../platform/egress/egress-error.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { postponedSeconds, responseTimeoutMs, retryAfterLossSeconds, retryAfterSeconds } from './schedule.ts';
import { previousSignatureHeader, signable, signatureHeader, signatureOf, standardHeaders } from './signature.ts';
import type { ClaimedRow, Outcome } from './statements.ts';

/**
 * How a response is read, and what the owner sees of it. Source: docs/specification/webhooks.md#deliveries;
 * docs/hazards.md#d06.
 */
const responseBytesMax = 65_536;
const shownBytesMax = 1_024;

/** The sealed form of an opened secret, so that the secret of a busy webhook is not decrypted each time. */
const openedMax = 5_000;

export const secretContext = (webhookUuid: string): string => `webhook ${webhookUuid} secret`;

export type Attempt = (row: ClaimedRow, claim: string) => Promise<Outcome>;

/** Makes attempts: one signed request each. Never throws: whatever goes wrong is how the attempt went. */
export function createAttempts({
  clock,
  egress,
  secrets,
}: {
  clock: Clock;
  egress: Pick<Egress, 'request'>;
  secrets: Pick<Secrets, 'open'>;
}): Attempt {
  const opened = new Map<string, string>();

  function secretOf(sealed: string, webhookUuid: string): string {
    const key = `${webhookUuid} ${sealed}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const secret = secrets.open(sealed, secretContext(webhookUuid));
    if (opened.size >= openedMax) opened.clear();
    opened.set(key, secret);
    return secret;
  }

  function requestOf(row: ClaimedRow) {
    const secret = secretOf(row.secret, row.webhook_uuid);
    const event = {
      id: row.event_uuid,
      event: row.event,
      subject: subjectOf(row),
      timestamp: row.event_at.toISOString(),
      dataText: row.data,
    };
    const { body, signature } = signable(event)(row.attempt - 1, secret);
    const previous = row.previous_secret === null ? null : secretOf(row.previous_secret, row.webhook_uuid);
    return {
      url: row.url,
      method: 'POST' as const,
      body,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Patchbay-Webhooks/1',
        [signatureHeader]: signature,
        ...(previous !== null && { [previousSignatureHeader]: signatureOf(body, previous) }),
        ...standardHeaders(event.id, clock.now(), body, previous === null ? [secret] : [secret, previous]),
      },
      totalTimeoutMs: responseTimeoutMs,
      responseBytesMax,
      // Receivers detect duplicates by the event's id.
      mayRepeat: true,
      // Many profiles may have webhooks at one host, and one of them there may hang.
      pool: row.profile_uuid,
    };
  }

  return async (row, claim) => {
    const failed = (error: string, facts: Partial<Outcome> = {}): Outcome => ({
      uuid: row.uuid,
      claim,
      status: 'failed',
      responseStatus: null,
      responseMs: null,
      responseBody: null,
      error,
      retrySeconds: row.is_test ? null : retryAfterSeconds(row.attempt),
      ...facts,
    });
    if (row.was_lost)
      return failed('Outcome unknown: the worker stopped before recording the response', {
        status: 'lost',
        retrySeconds: row.is_test ? null : retryAfterLossSeconds(row.losses + 1),
      });
    const begun = performance.now();
    try {
      const { status, body } = await egress.request(requestOf(row));
      const facts = {
        responseStatus: status,
        responseMs: Math.round(performance.now() - begun),
        responseBody: shownText(body),
      };
      if (status < 200 || status > 299) return failed(`The receiver answered ${status}`, facts);
      return {
        uuid: row.uuid,
        claim,
        status: 'succeeded',
        error: null,
        retrySeconds: null,
        ...facts,
      };
    } catch (error) {
      if (reasonOf(error) === 'busy' && !row.is_test)
        return failed(messageOf(error), { status: 'postponed', retrySeconds: postponedSeconds });
      return failed(messageOf(error), { responseMs: Math.round(performance.now() - begun) });
    }
  };
}

/** An agent's event names the agent beside its data, too. Source: docs/specification/webhooks.md#events. */
function subjectOf({ event, data }: ClaimedRow): Record<string, string> | undefined {
  if (!event.startsWith('agent.')) return undefined;
  const { agent_uuid, agent_name } = JSON.parse(data);
  return { agent_uuid, agent_name };
}

/** The beginning of a response as text that can be stored. */
function shownText(body: Buffer): string {
  return body.subarray(0, shownBytesMax).toString('utf8').replaceAll('\u0000', '\uFFFD').toWellFormed();
}

const reasonOf = (error: unknown): EgressReason | null => (error instanceof EgressError ? error.reason : null);

/** What the egress says is meant to be seen; of anything else only that it was. */
function messageOf(error: unknown): string {
  if (error instanceof EgressError) return error.message;
  if (error instanceof Error && error.name === 'SealError') return 'The secret cannot be read; set a new one';
  return 'The delivery could not be sent';
}
