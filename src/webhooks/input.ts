import { z } from 'zod';
import {
  instant,
  instantMessage,
  listOf,
  oneOf,
  pageRequest,
  storableText,
  trueOrFalse,
} from '../platform/input/input.ts';
import { WebhookSecret } from './secret.ts';

/** More names than there are events is a mistake. */
const eventsMax = 100;
/** Rows of one page over REST. Source: docs/specification/limits.md#constants. */
const pageRowsMax = 100;
const pageRowsDefault = 20;

const Url = storableText('url').max(2_048, 'url must be at most 2048 characters');

/** The service checks the names against the catalogue. */
const Events = listOf('events', z.string({ error: 'each of events must be a string' }), {
  of: 'names of events',
  min: 1,
  max: eventsMax,
}).transform((events) => [...new Set(events)]);

const Active = trueOrFalse('active');

/** Source: docs/specification/webhooks.md#register. */
export const NewWebhook = z.object({
  url: Url,
  events: Events,
  active: Active.nullish().transform((active) => active ?? true),
  secret: WebhookSecret.nullish(),
});

/** The body of PATCH. Omitted fields keep their values. Source: docs/specification/webhooks.md#update. */
export const WebhookChange = z.object({
  url: Url.nullish(),
  events: Events.nullish(),
  active: Active.nullish(),
  secret: WebhookSecret.nullish(),
});

/** Source: docs/specification/webhooks.md#test. */
export const TestCall = z.object({ event: storableText('event').max(100).nullish() });

export const ReplayRequest = z.object({
  since: instant('since').refine((since) => since.getTime() > -1e13 && since.getTime() < 1e14, instantMessage('since')),
});

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const DeliveryFilter = z.object({
  status: oneOf('status', deliveryStatuses).nullish().describe('Only deliveries with this status.'),
});

/** A page of deliveries: 20 if left out. */
export const PageRequest = pageRequest(pageRowsMax, pageRowsDefault);

/** Webhooks of one profile. */
export const webhooksMax = 50;

/** A page of webhooks: all that a profile may have if left out. */
export const WebhookPageRequest = pageRequest(pageRowsMax, webhooksMax);
