import path from 'node:path';

export const pdfType = 'application/pdf';
export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const pptxType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The kinds of text, by the extension of the name. Source code has a type that begins with `text/x-`. */
const textTypeOfEnding = new Map<string, string>(
  Object.entries({
    'text/plain': 'txt text log',
    'text/markdown': 'md markdown mdown mkd',
    'text/html': 'html htm xhtml',
    'text/csv': 'csv',
    'text/tab-separated-values': 'tsv tab',
    'application/json': 'json jsonl ndjson geojson ipynb webmanifest',
    'application/yaml': 'yaml yml',
    'application/xml': 'xml xsd xsl xslt svg rss atom plist',
    'text/x-toml': 'toml',
    'text/x-ini': 'ini cfg conf properties env',
    'text/x-shell': 'sh bash zsh fish',
    'text/x-powershell': 'ps1',
    'text/x-batch': 'bat cmd',
    'text/x-c': 'c h',
    'text/x-c++': 'cc cpp cxx hh hpp hxx',
    'text/x-csharp': 'cs',
    'text/x-css': 'css scss sass less',
    'text/x-dart': 'dart',
    'text/x-diff': 'diff patch',
    'text/x-elixir': 'ex exs',
    'text/x-erlang': 'erl hrl',
    'text/x-fortran': 'f90 f95 f03',
    'text/x-fsharp': 'fs fsx',
    'text/x-go': 'go',
    'text/x-graphql': 'graphql gql',
    'text/x-groovy': 'groovy gradle',
    'text/x-haskell': 'hs',
    'text/x-java': 'java',
    'text/x-javascript': 'js mjs cjs jsx',
    'text/x-julia': 'jl',
    'text/x-kotlin': 'kt kts',
    'text/x-lisp': 'lisp el clj cljs scm',
    'text/x-lua': 'lua',
    'text/x-make': 'mk mak',
    'text/x-matlab': 'matlab',
    'text/x-objective-c': 'mm',
    'text/x-ocaml': 'ml mli',
    'text/x-pascal': 'pas',
    'text/x-perl': 'pl pm',
    'text/x-php': 'php',
    'text/x-prisma': 'prisma',
    'text/x-protobuf': 'proto',
    'text/x-python': 'py pyi',
    'text/x-r': 'r',
    'text/x-ruby': 'rb',
    'text/x-rust': 'rs',
    'text/x-scala': 'scala sbt',
    'text/x-sql': 'sql',
    'text/x-svelte': 'svelte',
    'text/x-swift': 'swift',
    'text/x-terraform': 'tf hcl',
    'text/x-tex': 'tex sty bib',
    'text/x-typescript': 'ts tsx mts cts',
    'text/x-vb': 'vb vbs bas',
    'text/x-vue': 'vue',
    'text/x-zig': 'zig',
  }).flatMap(([type, endings]) => endings.split(' ').map((ending) => [ending, type] as const)),
);

/** The kind of text that a name says; text/plain where it says none. */
export const textTypeByName = (fileName: string): string =>
  textTypeOfEnding.get(path.extname(fileName).slice(1).toLowerCase()) ?? 'text/plain';

/** Texts whose lines mean more than their sentences: source code, tables and data. */
export const isReadByLines = (mimeType: string): boolean => mimeType.startsWith('text/x-') || linedTypes.has(mimeType);

const linedTypes = new Set([
  'text/csv',
  'text/tab-separated-values',
  'application/json',
  'application/yaml',
  'application/xml',
  xlsxType,
]);
