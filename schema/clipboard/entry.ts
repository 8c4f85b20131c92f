import type { ClipboardEntry } from '../../src/clipboard/index.ts';
import { builder } from '../builder.ts';
import { loadEntry } from './entry-loader.ts';

/** How the text of a value stands for bytes. */
export const ClipboardEncoding = builder.enumType('ClipboardEncoding', {
  description: 'How the text of a value stands for its content.',
  values: {
    UTF_8: { value: 'utf-8', description: 'Text or JSON, as it is.' },
    BASE64: { value: 'base64', description: 'Binary content in canonical base64.' },
    HEX: { value: 'hex', description: 'Hashes and keys, as pairs of hexadecimal digits.' },
  } as const,
});

export const ClipboardVisibility = builder.enumType('ClipboardVisibility', {
  description: 'Who may read an entry by its uuid.',
  values: {
    PRIVATE: { value: 'private', description: 'The profile that owns it.' },
    WORKSPACE: { value: 'workspace', description: 'Every profile of the project.' },
    PUBLIC: { value: 'public', description: 'Every authenticated caller.' },
  } as const,
});

const ClipboardSource = builder.enumType('ClipboardSource', {
  description: 'Where an entry was written. Set by the platform; a client cannot choose it.',
  values: {
    UI: { value: 'ui', description: 'The web interface: a signed-in session.' },
    SDK: { value: 'sdk', description: 'An API key of channel sdk.' },
    MCP: { value: 'mcp', description: 'An API key of channel mcp.' },
  } as const,
});

export const ClipboardEntryRef = builder.objectRef<ClipboardEntry>('ClipboardEntry');

builder.node(ClipboardEntryRef, {
  description:
    'A stored value: reached by its name, or by its place in the stack. It is gone at the instant it expires.',
  id: { resolve: ({ uuid }) => uuid },
  loadWithoutCache: (uuid: string, context, info) => loadEntry(context, info, uuid),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The id within the platform, as REST shows it.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of a named entry: 1 to 255 letters, digits, underscores and hyphens. Null on the stack.',
    }),
    idx: t.exposeInt('idx', {
      nullable: true,
      description: 'The place in the stack among live entries, 0 the newest. Null on a named entry.',
    }),
    value: t.exposeString('value', { description: 'The content, at most 2 MB. One answer holds at most 16 MB of it.' }),
    contentType: t.exposeString('contentType', { description: 'The MIME type; `text/plain` by default.' }),
    encoding: t.expose('encoding', { type: ClipboardEncoding, description: 'How the text stands for the content.' }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Bytes of `value` in UTF-8.' }),
    visibility: t.expose('visibility', {
      type: ClipboardVisibility,
      description: 'Who may read the entry by its uuid.',
    }),
    createdByTool: t.exposeString('createdByTool', { nullable: true, description: 'The MCP tool that wrote it.' }),
    createdByModel: t.exposeString('createdByModel', { nullable: true, description: 'The AI model that wrote it.' }),
    source: t.expose('source', { type: ClipboardSource, description: 'Where it was written.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the entry came to be.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its value was last set.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it is gone.' }),
  }),
});
