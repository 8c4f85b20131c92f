/**
 * `npm run check -- sources`: every source that the repository names is in it.
 *
 *     node .config/sources.mjs
 *
 * - No file cites a document that the repository does not have, such as an issue or the customer's own text.
 * - Each `@see` and `Source:` of a comment names a page of the repository, a URL, an RFC, or a public document of the list below.
 * - Each `docs/….md`, and each link of a Markdown file, leads to a file that exists, and its anchor to a heading or an `id` there.
 * - Each id of a hazard, such as A07, has a row in docs/hazards.md, and the tests that a row names exist and cite it.
 *
 *     node .config/sources.mjs --write
 *
 * also fills the last column of docs/hazards.md with the tests that cite each row.
 *
 * RFCs, URLs and other public documents may be cited freely.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Documents and records that stay outside the repository. */
const outside = /(?<![\w/-])(?:spec|gaps|acceptance|design|stack)\.md\b|\bissue \d+\b|\bSource: (?:the )?issue\b/g;
/** What a `@see` or `Source:` may name. */
const known =
  /docs\/|README\.md|https?:\/\/|RFC \d|\b(?:BEIR|CommonMark|ECMA-376|Fetch|HTML|IANA|MCP|Model Context Protocol|MS-OFFCRYPTO|NIST|OAuth|OpenID|POSIX|Semantic Versioning|Standard Webhooks|Unicode|WHATWG)\b|[Oo]fficial registry|server\.schema\.json|Python packaging|Mulberry32|Burges et al\./;
/** A citation in a comment, with the line after it. */
const citation = /^\s*(?:\/\*\*|\/\/|\*).*?(?:@see|Source:) (.*(?:\n\s*(?:\*(?!\/)|\/\/).*)?)/gm;

/** Files that carry text of others, or that tools write. */
const excluded =
  /^(?:package-lock\.json|rest-adapter\/generated\/|docs\/registry\/|\.config\/sources\.mjs$)|\.(?:png|woff2?|pdf|docx|xlsx|pptx)$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !excluded.test(file) && existsSync(path.join(root, file)));

const anchors = new Map();

/** The anchors of a Markdown file: its headings as GitHub spells them, and the ids in it. Null where there is no such file. */
function anchorsOf(file) {
  if (!anchors.has(file)) anchors.set(file, existsSync(path.join(root, file)) ? readAnchors(file) : null);
  return anchors.get(file);
}

function readAnchors(file) {
  const found = new Set();
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/^```.*?^```/gms, '');
  for (const [, title] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = title
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; found.has(anchor); count += 1) anchor = `${slug}-${count}`;
    found.add(anchor);
  }
  for (const [, id] of text.matchAll(/<a id="([^"]+)">/g)) found.add(id);
  return found;
}

/** Where a citation leads to nothing; undefined if it is good. */
function faultOf(target, anchor) {
  const isMarkdown = target.endsWith('.md');
  if (!isMarkdown) return existsSync(path.join(root, target)) ? undefined : `${target} does not exist`;
  const known = anchorsOf(target);
  if (known === null) return `${target} does not exist`;
  return anchor && !known.has(anchor) ? `${target} has no anchor #${anchor}` : undefined;
}

/** The citations of a line, each as a file of the repository and an anchor. */
function* citationsOf(file, line) {
  for (const [, target, anchor] of line.matchAll(/(?<![\w/.-])(docs\/[\w/.-]+\.md|README\.md(?=#))(?:#([\w-]+))?/g))
    yield [target, anchor];
  for (const [, target] of line.matchAll(/(?<![\w/.-])(docs\/decisions\/\d+)(?![\w-])/g)) yield [target];
  if (!file.endsWith('.md')) return;
  for (const [, link] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:|^\//.test(link)) continue;
    const [target, anchor] = link.split('#');
    yield [target === '' ? file : path.posix.join(path.posix.dirname(file), target), anchor];
  }
}

/** Ids of hazards: a letter and a number below 30. */
const hazardId = /(?<![\w#-])[A-J](?:0[1-9]|[12]\d)(?![\w-])|(?<=docs\/hazards\.md#)[a-j]\d\d\b/g;
const hazards = 'docs/hazards.md';
/** Sources and texts that may cite hazards; data and generated files may hold such words by chance. */
const mayCiteHazards = /^(?:src|rest-adapter|schema|bench|docs|test)\/.*\.(?:ts|mjs|md)$/;
/** Files that show what holds, rather than help others to. */
const isTest = /^test\/(?:.*\.test\.ts|attacks\/.*|faults\/.*|cluster\/.*)$/;

const hazardsOf = (text) => new Set([...text.matchAll(hazardId)].map(([id]) => id.toUpperCase()));

/** Checks the rows of docs/hazards.md against the tests. */
function checkHazards() {
  const citing = new Map();
  for (const file of files.filter((each) => isTest.test(each)))
    for (const id of hazardsOf(readFileSync(path.join(root, file), 'utf8')))
      citing.set(id, [...(citing.get(id) ?? []), file.slice('test/'.length)]);
  const text = readFileSync(path.join(root, hazards), 'utf8');
  const rows = text.split('\n').map((line, index) => {
    const [, id] = /^\| <a id="(\w+)">/.exec(line) ?? [];
    if (!id) return line;
    const cells = line.split(' | ');
    const tests = citing.get(id.toUpperCase()) ?? [];
    const shown = [...(cells.at(-1) ?? '').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => file);
    if (process.argv.includes('--write') && tests.length > 0)
      return [...cells.slice(0, -1), `${tests.map((file) => `\`${file}\``).join(', ')} |`].join(' | ');
    if (/^\s*\|?$/.test(cells.at(-1) ?? '')) report(hazards, index + 1, 'names no test, and does not say why');
    for (const file of shown.filter((each) => !tests.includes(each)))
      report(hazards, index + 1, `names ${file}, which does not cite ${id.toUpperCase()}`);
    if (tests.length > 0 && shown.length === 0)
      report(hazards, index + 1, `names no test, but ${tests[0]} cites ${id.toUpperCase()}`);
    return line;
  });
  if (process.argv.includes('--write')) writeFileSync(path.join(root, hazards), rows.join('\n'));
}

let faults = 0;
let citations = 0;
function report(file, number, fault) {
  faults += 1;
  console.log(`${file}:${number}: ${fault}`);
}

for (const file of files) {
  const text = readFileSync(path.join(root, file), 'utf8');
  if (/\.(?:ts|mjs)$/.test(file))
    for (const match of text.matchAll(citation))
      if (!known.test(match[1]))
        report(
          file,
          text.slice(0, match.index).split('\n').length,
          `cites "${match[1].trim()}", which cannot be found`,
        );
  text.split('\n').forEach((line, index) => {
    for (const [named] of line.matchAll(outside))
      report(file, index + 1, `cites "${named}", which is not in the repository`);
    for (const [target, anchor] of citationsOf(file, line)) {
      citations += 1;
      const fault = faultOf(target, anchor);
      if (fault) report(file, index + 1, fault);
    }
    if (!mayCiteHazards.test(file)) return;
    for (const id of hazardsOf(line)) {
      citations += 1;
      if (!anchorsOf(hazards)?.has(id.toLowerCase())) report(file, index + 1, `${hazards} has no row ${id}`);
    }
  });
}
checkHazards();
console.log(`${citations} citations, ${faults} that lead to nothing`);
process.exitCode = faults > 0 ? 1 : 0;
