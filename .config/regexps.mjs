/**
 * `npm run check -- regexps`: no regular expression of the product takes more than linear time. One that takes quadratic time
 * blocks the process for seconds when a client chooses the text.
 *
 *     node .config/regexps.mjs [file …]
 *
 * The TypeScript parser finds the expressions, and recheck decides about each: by its automaton, else by a search for an attack
 * that always begins with the same seed. It runs offline: as the program that recheck brings for this machine, which takes a fifth
 * of the CPU of its JavaScript; where there is none, as Java or JavaScript.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from '@tsd/typescript';
import { check } from 'recheck';

const root = fileURLToPath(new URL('..', import.meta.url));
const rooms = ['src', 'schema', 'rest-adapter'];

/** Expressions that may take longer, by file and beginning: why, and what bounds their text. */
const exceptions = [
  {
    file: 'src/platform/database/migrate.ts',
    start: String.raw`/\bE'(?:[^'\\]|\\.|'')*'`,
    reason: 'It reads the files of prisma/migrations, which are part of the product and at most some 100 kB.',
  },
];

/** All sources of the product. */
function sources() {
  return rooms.flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !/\.d\.m?ts$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
}

/** The regular expressions of a file: literals, and calls of RegExp. */
function expressionsOf(file) {
  const source = typescript.createSourceFile(file, readFileSync(file, 'utf8'), typescript.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const isCall = typescript.isCallExpression(node) || typescript.isNewExpression(node);
    if (typescript.isRegularExpressionLiteral(node) || (isCall && node.expression.getText(source) === 'RegExp')) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ file: path.relative(root, file), line: line + 1, text: node.getText(source), isLiteral: !isCall });
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The fault of each literal that was checked; the same one often stands in several places. */
const faultsOfLiterals = new Map();

/** The mistake of an expression; null if it takes linear time at most. */
async function faultOf({ text, isLiteral }) {
  if (!isLiteral) return 'is put together at run time and cannot be checked; write a literal';
  if (!faultsOfLiterals.has(text)) faultsOfLiterals.set(text, await faultOfLiteral(text));
  return faultsOfLiterals.get(text);
}

async function faultOfLiteral(text) {
  const end = text.lastIndexOf('/');
  const options = { timeout: null, incubationTimeout: null, attackTimeout: null, randomSeed: 1 };
  const { status, complexity, error, attack } = await check(text.slice(1, end), text.slice(end + 1), options);
  if (status === 'safe') return null;
  if (status === 'unknown') return `cannot be checked: ${error?.kind}`;
  return `takes time of ${complexity.summary} order, as for ${attack.pattern.slice(0, 200)}`;
}

const files = process.argv.slice(2).map((file) => path.resolve(file));
const expressions = (files.length > 0 ? files : sources()).flatMap(expressionsOf);
const unused = new Set(files.length > 0 ? [] : exceptions);
let faults = 0;
for (const expression of expressions) {
  const exception = exceptions.find(({ file, start }) => file === expression.file && expression.text.startsWith(start));
  unused.delete(exception);
  const fault = exception ? null : await faultOf(expression);
  if (fault === null) continue;
  faults += 1;
  console.log(`${expression.file}:${expression.line}: ${expression.text} ${fault}`);
}
for (const { file, start } of unused) console.log(`.config/regexps.mjs lists ${start} of ${file}, which is not there`);
console.log(`${expressions.length} regular expressions, ${faults} of more than linear time`);
process.exitCode = faults + unused.size > 0 ? 1 : 0;
