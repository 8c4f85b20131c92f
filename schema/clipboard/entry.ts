import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { optional } from '../optional.ts';
import { loadEntry } from './entry-loader.ts';

/** How the text of a value stands for bytes. */
export const ClipboardEncoding = builder.enumType('ClipboardEncoding', {
  description: 'Encoding of the content in the text of a value.',
  values: {
    UTF_8: { value: 'utf-8', description: 'Text or JSON, as it is.' },
    BASE64: { value: 'base64', description: 'Binary content in canonical base64.' },
    HEX: { value: 'hex', description: 'Hashes and keys, as pairs of hexadecimal digits.' },
  } as const,
});

export const ClipboardVisibility = enumOf('ClipboardVisibility', 'Callers that may read an entry by its UUID.', {
  private: 'The profile that owns it.',
  workspace: 'Every profile of the project.',
  public: 'Every authenticated caller.',
});

const ClipboardSource = enumOf('ClipboardSource', 'Kind of client that wrote an entry. The platform sets it.', {
  ui: 'The web interface: a signed-in session.',
  sdk: 'An API key of channel sdk.',
  mcp: 'An API key of channel mcp.',
});

export const ClipboardEntryRef = builder.objectRef<ClipboardEntry>('ClipboardEntry');

builder.node(ClipboardEntryRef, {
  description: 'A stored value with a name, or with an index in the stack. It cannot be read after it expires.',
  id: { resolve: ({ uuid }) => uuid },
  loadWithoutCache: (uuid: string, context, info) => loadEntry(context, info, uuid),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    name: t.exposeString(
      'name',
      optional('The name of a named entry: 1 to 255 letters, digits, underscores and hyphens. Null on the stack.'),
    ),
    idx: t.exposeInt('idx', optional('Index in the stack; 0 is the newest entry. Null for a named entry.')),
    value: t.exposeString('value', {
      description: 'The content, at most 2 MB. One response holds at most 16 MB of it.',
    }),
    contentType: t.exposeString('contentType', { description: 'The MIME type; `text/plain` by default.' }),
    encoding: t.expose('encoding', {
      type: ClipboardEncoding,
      description: 'Encoding of the content in the text of the value.',
    }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Bytes of `value` in UTF-8.' }),
    visibility: t.expose('visibility', {
      type: ClipboardVisibility,
      description: 'Callers that may read the entry by its UUID.',
    }),
    createdByTool: t.exposeString('createdByTool', optional('The MCP tool that wrote it.')),
    createdByModel: t.exposeString('createdByModel', optional('The AI model that wrote it.')),
    source: t.expose('source', { type: ClipboardSource, description: 'Kind of client that wrote the entry.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Time at which the entry expires.' }),
  }),
});
