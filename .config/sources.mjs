/**
 * `npm run check -- sources`: every source that the repository names is in it.
 *
 *     node .config/sources.mjs
 *
 * - No file cites a document that the repository does not have, such as an issue or the customer's own text.
 * - Each `docs/….md`, and each link of a Markdown file, leads to a file that exists, and its anchor to a heading or an `id` there.
 *
 * RFCs, URLs and other public documents may be cited freely.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Documents and records that stay outside the repository. */
const outside = /(?<![\w/-])(?:spec|gaps|acceptance|design|stack)\.md\b|\bissue \d+\b|\bSource: (?:the )?issue\b/g;
/** Areas whose citations still have to be rewritten; the list only shrinks. */
const unfinished =
  /^(?:src|rest-adapter|test|bench)\/(?:agents|analytics|attacks|chat|collections|documents|event-catalogue|mcp-servers|notifications|oauth|registry|search|users|webhooks)\/|^src\/main\/(?:landing-page|oauth-callbacks)\.ts$|^test\/(?:requirements|sweeps\/no-open-door\.test)\.ts$|^docs\/decisions\/|^bench\//;
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
  for (const [, target, anchor] of line.matchAll(/(?<![\w/.-])(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/g))
    yield [target, anchor];
  for (const [, target] of line.matchAll(/(?<![\w/.-])(docs\/decisions\/\d+)(?![\w-])/g)) yield [target];
  if (!file.endsWith('.md')) return;
  for (const [, link] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:|^\//.test(link)) continue;
    const [target, anchor] = link.split('#');
    yield [target === '' ? file : path.posix.join(path.posix.dirname(file), target), anchor];
  }
}

let faults = 0;
let citations = 0;
function report(file, number, fault) {
  faults += 1;
  console.log(`${file}:${number}: ${fault}`);
}

for (const file of files) {
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      for (const [named] of unfinished.test(file) ? [] : line.matchAll(outside))
        report(file, index + 1, `cites "${named}", which is not in the repository`);
      for (const [target, anchor] of citationsOf(file, line)) {
        citations += 1;
        const fault = faultOf(target, anchor);
        if (fault) report(file, index + 1, fault);
      }
    });
}
console.log(`${citations} citations, ${faults} that lead to nothing`);
process.exitCode = faults > 0 ? 1 : 0;
