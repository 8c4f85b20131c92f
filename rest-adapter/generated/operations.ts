/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** How the text of a value stands for its content. */
export type ClipboardEncoding =
  /** Binary content in canonical base64. */
  | 'BASE64'
  /** Hashes and keys, as pairs of hexadecimal digits. */
  | 'HEX'
  /** Text or JSON, as it is. */
  | 'UTF_8';

/** One of your own entries: by its name or by its place in the stack. */
export type ClipboardEntrySelector =
  {   /** The place in the stack; 0 is the newest. */
  idx: number; name?: never; }
  |  { idx?: never;   /** The name of a named entry. */
  name: string; };

/** A value for the top of the stack. */
export type ClipboardPushInput = {
  /** The MIME type, at most 255 characters; `text/plain` by default. */
  contentType?: string | null | undefined;
  /** The AI model that writes it, at most 255 characters. */
  createdByModel?: string | null | undefined;
  /** The MCP tool that writes it, at most 255 characters. */
  createdByTool?: string | null | undefined;
  /** UTF_8 by default. */
  encoding?: ClipboardEncoding | null | undefined;
  /** Lifetime in seconds: 1 to 2 592 000 (30 days); 86 400 if left out. */
  ttlSeconds?: number | null | undefined;
  /** The content: at most 2 097 152 bytes in UTF-8. May be empty. */
  value: string;
  /** PRIVATE by default. */
  visibility?: ClipboardVisibility | null | undefined;
};

/** A named entry to create or replace. */
export type ClipboardSetInput = {
  /** The MIME type, at most 255 characters; `text/plain` by default. */
  contentType?: string | null | undefined;
  /** The AI model that writes it, at most 255 characters. */
  createdByModel?: string | null | undefined;
  /** The MCP tool that writes it, at most 255 characters. */
  createdByTool?: string | null | undefined;
  /** UTF_8 by default. */
  encoding?: ClipboardEncoding | null | undefined;
  /** 1 to 255 letters, digits, underscores and hyphens. */
  name: string;
  /** Lifetime in seconds: 1 to 2 592 000 (30 days); 86 400 if left out. */
  ttlSeconds?: number | null | undefined;
  /** The content: at most 2 097 152 bytes in UTF-8. May be empty. */
  value: string;
  /** PRIVATE by default. */
  visibility?: ClipboardVisibility | null | undefined;
};

/** Where an entry was written. Set by the platform; a client cannot choose it. */
export type ClipboardSource =
  /** An API key of channel mcp. */
  | 'MCP'
  /** An API key of channel sdk. */
  | 'SDK'
  /** The web interface: a signed-in session. */
  | 'UI';

/** Who may read an entry by its uuid. */
export type ClipboardVisibility =
  /** The profile that owns it. */
  | 'PRIVATE'
  /** Every authenticated caller. */
  | 'PUBLIC'
  /** Every profile of the project. */
  | 'WORKSPACE';

export type ClipboardEntryFieldsFragment = { uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string };

export type ListClipboardEntriesQueryVariables = Exact<{
  limit?: number | null | undefined;
  offset?: number | null | undefined;
  contentType?: string | null | undefined;
}>;


export type ListClipboardEntriesQuery = { clipboardEntryPage: { total: number, limit: number, offset: number, entries: Array<{ uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string }> } };

export type GetClipboardEntryQueryVariables = Exact<{
  by: ClipboardEntrySelector;
}>;


export type GetClipboardEntryQuery = { clipboardEntry: { uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string } | null };

export type GetClipboardEntryByUuidQueryVariables = Exact<{
  uuid: string;
}>;


export type GetClipboardEntryByUuidQuery = { clipboardEntryByUuid: { uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string } | null };

export type SetClipboardEntryMutationVariables = Exact<{
  input: ClipboardSetInput;
}>;


export type SetClipboardEntryMutation = { clipboardSet: { entry: { uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string } } };

export type PushClipboardEntryMutationVariables = Exact<{
  input: ClipboardPushInput;
}>;


export type PushClipboardEntryMutation = { clipboardPush: { entry: { uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string } } };

export type PopClipboardEntryMutationVariables = Exact<{ [key: string]: never; }>;


export type PopClipboardEntryMutation = { clipboardPop: { entry: { uuid: string, name: string | null, idx: number | null, value: string, contentType: string, encoding: ClipboardEncoding, sizeBytes: number, visibility: ClipboardVisibility, createdByTool: string | null, createdByModel: string | null, source: ClipboardSource, createdAt: string, updatedAt: string, expiresAt: string } } };

export type DeleteClipboardEntryMutationVariables = Exact<{
  input: ClipboardEntrySelector;
}>;


export type DeleteClipboardEntryMutation = { clipboardDelete: { deleted: boolean } };

export type ClearClipboardMutationVariables = Exact<{ [key: string]: never; }>;


export type ClearClipboardMutation = { clipboardClear: { deletedCount: number } };

export const ClipboardEntryFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<ClipboardEntryFieldsFragment, unknown>;
export const ListClipboardEntriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListClipboardEntries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"contentType"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardEntryPage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"contentType"},"value":{"kind":"Variable","name":{"kind":"Name","value":"contentType"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClipboardEntryFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"offset"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<ListClipboardEntriesQuery, ListClipboardEntriesQueryVariables>;
export const GetClipboardEntryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetClipboardEntry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"by"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntrySelector"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardEntry"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"Variable","name":{"kind":"Name","value":"by"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClipboardEntryFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<GetClipboardEntryQuery, GetClipboardEntryQueryVariables>;
export const GetClipboardEntryByUuidDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetClipboardEntryByUuid"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardEntryByUuid"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"uuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClipboardEntryFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<GetClipboardEntryByUuidQuery, GetClipboardEntryByUuidQueryVariables>;
export const SetClipboardEntryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetClipboardEntry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardSetInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardSet"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClipboardEntryFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<SetClipboardEntryMutation, SetClipboardEntryMutationVariables>;
export const PushClipboardEntryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PushClipboardEntry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardPushInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardPush"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClipboardEntryFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<PushClipboardEntryMutation, PushClipboardEntryMutationVariables>;
export const PopClipboardEntryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PopClipboardEntry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardPop"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClipboardEntryFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClipboardEntryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntry"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"idx"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"encoding"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"visibility"}},{"kind":"Field","name":{"kind":"Name","value":"createdByTool"}},{"kind":"Field","name":{"kind":"Name","value":"createdByModel"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]} as unknown as DocumentNode<PopClipboardEntryMutation, PopClipboardEntryMutationVariables>;
export const DeleteClipboardEntryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteClipboardEntry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClipboardEntrySelector"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardDelete"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleted"}}]}}]}}]} as unknown as DocumentNode<DeleteClipboardEntryMutation, DeleteClipboardEntryMutationVariables>;
export const ClearClipboardDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ClearClipboard"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clipboardClear"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedCount"}}]}}]}}]} as unknown as DocumentNode<ClearClipboardMutation, ClearClipboardMutationVariables>;