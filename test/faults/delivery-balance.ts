import type { Receivers } from './delivery-receivers.ts';

/** A delivery as it is stored. */
export interface DeliveryRow {
  event_uuid: string;
  webhook_uuid: string;
  attempt: number;
  status: string;
  error: string | null;
}

export interface DeliveryBalance {
  /** Events that were committed. */
  readonly events: number;
  /** Pairs of an event and an endpoint that had an answer of 2xx. */
  readonly delivered: number;
  /** The pairs that had none. */
  readonly lost: number;
  readonly attempts: number;
  /** The most attempts that a pair took. */
  readonly attemptsMost: number;
  /** Answers of 2xx beyond the first of a pair. */
  readonly duplicates: number;
  /** Attempts with a 2xx response whose outcome was never recorded. */
  readonly lostAcknowledgements: number;
  /** Attempts whose outcome was never recorded, whatever the response, if they were made at all. */
  readonly lostAttempts: number;
  readonly signatures: number;
  /** What must not be. */
  readonly troubles: readonly string[];
}

const attemptsMax = 6;

/** Holds what arrived against what was committed and what is stored. */
export function deliveryBalance(given: {
  committed: readonly string[];
  endpointOf: ReadonlyMap<string, number>;
  rows: readonly DeliveryRow[];
  receivers: Pick<Receivers, 'arrivals' | 'signatures'>;
}): DeliveryBalance {
  const { committed, endpointOf, rows, receivers } = given;
  const endpoints = endpointOf.size;
  const troubles: string[] = [];
  const acceptedOf = new Map<string, number>();
  /** How often each attempt was answered 2xx, was recorded as succeeded, and was recorded without knowledge of its answer. */
  const attemptsOfPair = new Map<string, { accepted: number; succeeded: number; unknown: number }>();
  const attemptOf = (id: string, endpoint: number | undefined, attempt: number) => {
    const key = `${id} ${endpoint} ${attempt}`;
    const counts = attemptsOfPair.get(key) ?? { accepted: 0, succeeded: 0, unknown: 0 };
    attemptsOfPair.set(key, counts);
    return counts;
  };
  for (const { number, endpoint, id, retryCount, isAccepted } of receivers.arrivals) {
    if (committed[number] !== id) troubles.push(`event ${number} came as ${id}`);
    if (!isAccepted) continue;
    acceptedOf.set(`${id} ${endpoint}`, (acceptedOf.get(`${id} ${endpoint}`) ?? 0) + 1);
    attemptOf(id, endpoint, retryCount + 1).accepted += 1;
  }
  const attemptsOf = new Map<string, number>();
  let [lostAttempts, succeeded] = [0, 0];
  for (const { event_uuid: id, webhook_uuid: webhook, attempt, status, error } of rows) {
    const endpoint = endpointOf.get(webhook);
    attemptsOf.set(`${id} ${endpoint}`, Math.max(attemptsOf.get(`${id} ${endpoint}`) ?? 0, attempt));
    const counts = attemptOf(id, endpoint, attempt);
    if (status === 'succeeded') {
      succeeded += 1;
      counts.succeeded += 1;
    }
    const isLost = error?.startsWith('Outcome unknown') ?? false;
    if (isLost) lostAttempts += 1;
    // An answer that came too late for us was still an answer.
    if (isLost || error === 'The receiver did not answer in time') counts.unknown += 1;
  }
  // Of the attempts of one number: an answer of 2xx that is not recorded was lost, as often as an attempt of unknown answer is recorded.
  const lostAcknowledgements = [...attemptsOfPair.values()].reduce(
    (sum, counts) => sum + Math.max(0, Math.min(counts.unknown, counts.accepted - counts.succeeded)),
    0,
  );
  const pairs = committed.length * endpoints;
  const delivered = committed.reduce(
    (sum, id) => sum + [...endpointOf.values()].filter((endpoint) => acceptedOf.has(`${id} ${endpoint}`)).length,
    0,
  );
  const lost = pairs - delivered;
  const attemptsMost = Math.max(0, ...new Set(attemptsOf.values()));
  const duplicates = [...acceptedOf.values()].reduce((sum, count) => sum + count - 1, 0);
  if (lost !== 0) troubles.push(`${lost} of ${pairs} never had an answer of 2xx`);
  if (succeeded !== pairs) troubles.push(`${succeeded} of ${pairs} are recorded as told`);
  if (attemptsMost > attemptsMax) troubles.push(`${attemptsMost} attempts of one event at one endpoint`);
  if (duplicates > lostAcknowledgements)
    troubles.push(`${duplicates} duplicates, but only ${lostAcknowledgements} lost acknowledgements`);
  const { checked, wrong } = receivers.signatures;
  if (wrong > 0) troubles.push(`${wrong} of ${checked} signatures are wrong`);
  return {
    events: committed.length,
    delivered,
    lost,
    attempts: rows.length,
    attemptsMost,
    duplicates,
    lostAcknowledgements,
    lostAttempts,
    signatures: checked,
    troubles: troubles.slice(0, 20),
  };
}
