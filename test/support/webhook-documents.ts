import { expect } from 'vitest';

/** What is shown of a webhook. */
const fields = 'uuid url events active status failedAt previousSecretUntil createdAt updatedAt';
export const documents = {
  create: `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { secret webhook { ${fields} } } }`,
  update: `mutation ($input: WebhookUpdateInput!) { webhookUpdate(input: $input) { webhook { ${fields} } } }`,
  replaceSecret: `mutation ($input: WebhookSecretReplaceInput!) { webhookSecretReplace(input: $input) { webhook { ${fields} } } }`,
  delete: 'mutation ($input: WebhookDeleteInput!) { webhookDelete(input: $input) { uuid } }',
  rotate: `mutation ($input: WebhookSecretRotateInput!) { webhookSecretRotate(input: $input) { secret webhook { ${fields} } } }`,
  test: 'mutation ($input: WebhookTestInput!) { webhookTest(input: $input) { delivery { uuid event isTest status responseStatus webhook { url } } } }',
  replay:
    'mutation ($input: WebhookDeliveryReplayInput!) { webhookDeliveryReplay(input: $input) { delivery { uuid eventUuid attempt status } } }',
  replayFailed: 'mutation ($input: WebhookFailedReplayInput!) { webhookFailedReplay(input: $input) { count } }',
  one: `query ($uuid: String!) { webhook(uuid: $uuid) { ${fields} } }`,
  list: `query ($first: Int, $after: String) { webhooks(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { uuid } } nodes { uuid } } }`,
  deliveries: `query ($uuid: String!, $first: Int, $after: String, $status: WebhookDeliveryStatus) { webhook(uuid: $uuid) {
    deliveries(first: $first, after: $after, status: $status) {
      totalCount pageInfo { hasNextPage endCursor } edges { cursor node { uuid } }
      nodes { uuid webhookUuid eventUuid event attempt isTest status responseStatus responseMs responseBody error createdAt nextRetryAt } } } }`,
};

/** The one error of an answer: its code and details. */
export const errorOf = (answer: { errors?: { message: string; extensions: { code: string; details?: object } }[] }) => {
  expect(answer.errors).toHaveLength(1);
  return answer.errors?.[0]?.extensions ?? { code: '' };
};
