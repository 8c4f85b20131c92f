import type { CodegenConfig } from '@graphql-codegen/cli';

// The operations that the REST layer runs, compiled to typed documents: a route that asks for what the graph lacks does not compile.
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  importExtension: '.ts',
  documents: 'rest-adapter/*/operations.graphql',
  generates: {
    'rest-adapter/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        enumType: 'string-literal',
        enumsAsTypes: true,
        useTypeImports: true,
        skipTypename: true,
        avoidOptionals: { field: true, inputValue: false },
        scalars: {
          DateTime: { input: 'Date', output: 'string' },
          UUID: 'string',
          JSONObject: 'Record<string, unknown>',
        },
        documentMode: 'documentNode',
        optimizeDocumentNode: true,
        dedupeFragments: true,
      },
    },
  },
};

export default config;
