import { z } from 'zod';
import { isoInstant, listOf, pageRequest, storableText, trueOrFalse } from '../platform/input/input.ts';
import { WebhookSecret } from './secret.ts';

/** More names than there are events is a mistake. */
const eventsMax = 100;
/** Rows of one page over REST. Source: docs/specification/limits.md#constants. */
const pageRowsMax = 100;
const pageRowsDefault = 20;

const Url = storableText('url').max(2_048, 'url must be at most 2048 characters');

/** Which names there are is the catalogue's to say: the service asks it. */
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

/** The body of PATCH. What is left out stays. Source: docs/specification/webhooks.md#update. */
export const WebhookChange = z.object({
  url: Url.nullish(),
  events: Events.nullish(),
  active: Active.nullish(),
  secret: WebhookSecret.nullish(),
});

/** Source: docs/specification/webhooks.md#test. */
export const TestCall = z.object({ event: storableText('event').max(100).nullish() });

const instant = 'since must be an instant, ISO 8601 with a zone';

export const ReplayRequest = z.object({
  since: z
    .union([z.date(), isoInstant.transform((text) => new Date(text))], { error: instant })
    .refine((since) => since.getTime() > -1e13 && since.getTime() < 1e14, instant),
});

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const DeliveryFilter = z.object({
  status: z
    .enum(deliveryStatuses, { error: `status must be ${deliveryStatuses.join(', ')}` })
    .nullish()
    .describe('Only deliveries with this status.'),
});

/** A page of deliveries: 20 if left out. */
export const PageRequest = pageRequest(pageRowsMax, pageRowsDefault);

/** Webhooks of one profile. */
export const webhooksMax = 50;

/** A page of webhooks: all that a profile may have if left out. */
export const WebhookPageRequest = pageRequest(pageRowsMax, webhooksMax);
