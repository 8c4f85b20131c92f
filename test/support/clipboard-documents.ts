import { expect } from 'vitest';

/** Every operation of the clipboard in the graph, with all that it can show. */
const fields = `id uuid name idx value contentType encoding sizeBytes visibility createdByTool createdByModel source
  createdAt updatedAt expiresAt`;
export const set = `mutation ($input: ClipboardSetInput!) { clipboardSet(input: $input) { entry { ${fields} } } }`;
export const push = `mutation ($input: ClipboardPushInput!) { clipboardPush(input: $input) { entry { ${fields} } } }`;
export const pop = `mutation { clipboardPop { entry { ${fields} } } }`;
export const remove =
  'mutation ($input: ClipboardEntrySelector!) { clipboardDelete(input: $input) { deleted deletedUuid } }';
export const clear = 'mutation { clipboardClear { deletedCount } }';
export const get = `query ($by: ClipboardEntrySelector!) { clipboardEntry(by: $by) { ${fields} } }`;
export const byUuid = `query ($uuid: String!) { clipboardEntryByUuid(uuid: $uuid) { ${fields} } }`;
export const page = `query ($limit: Int, $offset: Int, $contentType: String) {
  clipboardEntryPage(limit: $limit, offset: $offset, contentType: $contentType) { entries { value idx name } total limit offset } }`;
export const connection = `query ($first: Int, $after: String, $contentType: String) {
  clipboardEntries(first: $first, after: $after, contentType: $contentType) {
    edges { cursor node { value } } nodes { value idx name } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
export const node = `query ($id: ID!) { node(id: $id) { __typename id ... on ClipboardEntry { value } } }`;
export const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on ClipboardEntry { value } } }';

export interface GraphqlError {
  message: string;
  extensions: { code: string; details?: Record<string, unknown> };
}

/** The one error of an answer. */
export function errorOf(answer: { errors?: GraphqlError[] }): GraphqlError {
  expect(answer.errors).toHaveLength(1);
  return answer.errors?.[0] as GraphqlError;
}
