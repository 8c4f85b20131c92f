/**
 * Who may import whom: prisma -> platform -> areas -> schema -> (codegen) -> rest-adapter -> main.
 *
 * Run it as `npm run check -- direction`, which preloads typescript-6.cjs: without it dependency-cruiser skips every .ts file and
 * says nothing. (swc was tried: it misses `Pick<import('x').Y, …>` and stops at `using`.)
 */
if (!process.execArgv.some((argument) => argument.includes('typescript-6.cjs'))) {
  throw new Error('dependency-cruiser sees no TypeScript like this; use `npm run check -- direction`');
}

const PACKAGES = '(^|/)node_modules/';
const GENERATED = ['^prisma/generated/', '^rest-adapter/generated/'];
const AREA = { path: '^src/([^/]+)/', pathNot: '^src/(platform|main|cli|sample-data)/' };
const ERASED = ['type-only', 'type-import'];

/** Names that say nothing: whole file or folder names, and the last word of a longer one (`string-utils.ts`). */
const EMPTY_NAMES = ['(^|/|-)(utils?|helpers?|common|managers?)(/|\\.[^/]*$)', '(^|/)types(/|\\.[^/]*$)'];

const rules = [
  {
    name: 'platform-knows-no-area',
    comment: 'src/platform may import prisma/generated, npm and itself.',
    from: { path: '^src/platform/' },
    to: { pathNot: ['^src/platform/', '^prisma/generated/', PACKAGES], dependencyTypesNot: ['core'] },
  },
  {
    name: 'area-stays-at-home',
    comment: 'An area may import itself, src/platform, npm, and the index.ts of another area (for shared types).',
    from: AREA,
    to: {
      pathNot: [
        '^src/$1/',
        '^src/platform/',
        '^src/(?!main/|cli/|sample-data/)[^/]+/index\\.ts$',
        '^prisma/generated/',
        PACKAGES,
      ],
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'area-takes-values-as-dependencies',
    comment: 'Of another area only types; its values arrive as dependencies, wired in src/main/services.ts.',
    from: AREA,
    to: { path: '^src/[^/]+/index\\.ts$', pathNot: ['^src/$1/', '^src/platform/'], dependencyTypesNot: ERASED },
  },
  {
    name: 'area-meets-the-client-by-type',
    comment: 'An area receives its database; of prisma/generated it may import types and the names of columns only.',
    from: AREA,
    to: { path: '^prisma/generated/', pathNot: '^prisma/generated/columns\\.ts$', dependencyTypesNot: ERASED },
  },
  {
    name: 'area-knows-no-transport',
    comment: 'A service never meets Express, GraphQL or Pothos, not even their types.',
    from: AREA,
    to: { path: `(${PACKAGES}|^)(@types/)?(express|express-[^/]+|graphql|graphql-[^/]+|@pothos/[^/]+)(/|$)` },
  },
  {
    name: 'input-is-pure',
    comment:
      "rest-adapter and schema read an area's input.ts, so it may import zod, platform/{errors,input/input,input/quantities,json/json-fault,settings/heartbeat-intervals}.ts and types; and the area's secret.ts and policy files and the agents' lifecycle.ts and the documents' search/input.ts, which keep the same rule.",
    from: {
      path: '^src/([^/]+)/(input|secret|(?<=agents/)lifecycle|(?<=documents/)search/input|orchestrator/(policy|image-reference))\\.ts$',
      pathNot: '^src/(platform|main|cli|sample-data)/',
    },
    to: {
      pathNot: [
        `${PACKAGES}zod/`,
        '^src/platform/(errors|input/input|input/quantities|json/json-fault|settings/heartbeat-intervals)\\.ts$',
        '^src/$1/(secret|(?<=agents/)lifecycle|(?<=documents/)search/input|orchestrator/(policy|image-reference))\\.ts$',
      ],
      dependencyTypesNot: [...ERASED, 'core'],
    },
  },
  {
    name: 'schema-uses-doors',
    comment: "schema may import itself, an area's index.ts and input.ts, src/platform and npm.",
    from: { path: '^schema/' },
    to: {
      pathNot: [
        '^schema/',
        '^src/platform/',
        '^src/(?!main/|cli/|sample-data/)[^/]+/(index|input)\\.ts$',
        '^prisma/generated/',
        PACKAGES,
      ],
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'only-the-builder-meets-the-database',
    comment: 'In schema only builder.ts may import prisma/generated.',
    from: { path: '^schema/', pathNot: '^schema/builder\\.ts$' },
    to: { path: '^prisma/' },
  },
  {
    name: 'rest-adapter-maps',
    comment:
      "rest-adapter may import itself, npm, platform/{errors,caller,input/input,json/json-content}.ts, an area's input.ts, and types of platform/{logger,clock,metrics,limits/rate-limits}.ts.",
    from: { path: '^rest-adapter/' },
    to: {
      pathNot: [
        '^rest-adapter/',
        '^src/platform/(errors|caller|input/input|json/json-content|logger|clock|metrics|limits/rate-limits)\\.ts$',
        '^src/(?!main/|platform/|cli/|sample-data/)[^/]+/(?:search/)?input\\.ts$',
        PACKAGES,
      ],
      dependencyTypesNot: ['core'],
    },
  },
  {
    name: 'rest-adapter-receives-its-tools',
    comment: 'Logger, clock, metrics and limits are handed to rest-adapter; it may name their types only.',
    from: { path: '^rest-adapter/' },
    to: { path: '^src/platform/(logger|clock|metrics|limits/rate-limits)\\.ts$', dependencyTypesNot: ERASED },
  },
  {
    name: 'nothing-imports-main',
    comment: 'Only src/main itself, the programs, the sample data, test and bench.',
    from: { pathNot: '^(src/(main|cli|sample-data)|test|bench)/' },
    to: { path: '^src/(main|sample-data)/' },
  },
  {
    name: 'nothing-imports-programs',
    comment: 'Each file of src/cli is a program or a part of one; main does not know them.',
    from: { pathNot: '^(src/cli|test)/' },
    to: { path: '^src/cli/' },
  },
  {
    name: 'nothing-imports-tests',
    from: { pathNot: '^(test|bench)/' },
    to: { path: '^(test|bench)/' },
  },
  { name: 'no-circle', comment: 'Type imports count.', from: {}, to: { circular: true } },
  {
    name: 'no-orphan',
    comment: 'A file without imports that is imported nowhere.',
    from: { orphan: true, pathNot: [...GENERATED, '\\.d\\.m?ts$', '^prisma/[^/]+\\.mjs$', '^codegen\\.ts$'] },
    to: {},
  },
  {
    name: 'no-empty-name',
    comment: 'No utils, helpers, common, manager or types: name the file after what it exports.',
    module: { path: EMPTY_NAMES, pathNot: [...GENERATED, PACKAGES], numberOfDependentsLessThan: 100 },
    from: {},
  },
  {
    name: 'no-file-outside-a-room',
    comment: 'src holds folders only.',
    module: { path: '^src/[^/]+$', numberOfDependentsLessThan: 100 },
    from: {},
  },
  {
    name: 'no-unresolved',
    comment: 'test/client generates the types that it compiles its client with.',
    from: {},
    to: { couldNotResolve: true, pathNot: '^patchbay-openapi$' },
  },
  {
    name: 'no-dev-package-in-the-product',
    comment: 'What runs in production is in "dependencies"; types may come from devDependencies.',
    from: { path: '^(src|schema|rest-adapter)/', pathNot: '^(schema|rest-adapter)/print\\.ts$' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: [...ERASED, 'npm'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: [PACKAGES, '^prisma/generated/'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types', 'default'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
