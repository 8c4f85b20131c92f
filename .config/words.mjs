/**
 * `npm run check -- words`: texts that people read have none of the worst unclear words.
 *
 *     node .config/words.mjs
 *
 * It reads the comments and strings of sources, and the whole of other files. README.md#writing says how to write instead.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Unclear words, each with the better ones. */
const words = [
  [
    /\b(?:whoever|whomever|nobody|somebody|anybody)\b/i,
    'name the subject: the caller, a user, no process, every client',
  ],
  [/\bstrangers?\b/i, 'another user, another tenant, an unauthenticated caller'],
  [/\b(?:heed(?:s|ed|ing)?|deaf)\b/i, 'subscribe, unsubscribe, act on a signal'],
  [/\bdoors?\b/i, 'entry point'],
  [/(?<!\bHugging[ -])\bfaces?\b/i, 'API'],
  [/\bjudg(?:e|es|ed|ing)\b/i, 'validate, check, decide, measure'],
  [
    /\b(?:posts?|sends?|sent|keeps?|kept|queues?) (?:a |an |the |no )?letters?\b|\bletters? (?:is|are|was|were) (?:sent|kept|posted)\b/i,
    'email',
  ],
  [/\b(?:how it stands|what is asked|who asks|without a word)\b/i, 'a sentence of subject, verb and object'],
  [
    /\b(?:not|never|nothing|none)\b (?:is |are |was )?(?:not|never|nothing|none)\b/i,
    'a positive sentence instead of two negations',
  ],
];

/** Files with texts of others, that tools write, or that a database has applied. */
const excluded =
  /^(?:package-lock\.json|rest-adapter\/generated\/|schema\/schema\.graphql$|docs\/registry\/|prisma\/migrations\/|test\/agents\/manifests\/|\.config\/words\.mjs$)|\.(?:jsonl|png|woff2?|pdf|docx|xlsx|pptx|svg|ico|gz|zip)$/;

/** Texts that stay, each with the reason. */
const exceptions = [
  { file: 'src/auth/input.ts', text: 'nan new news nil nobody noreply', reason: 'reserved user names' },
  {
    file: 'test/sweeps/routes-and-openapi.test.ts',
    text: "as: 'nobody'",
    reason: 'names of the code between two strings',
  },
  { file: 'src/chat/messages.ts', text: '@param judge', reason: 'the name of a parameter' },
];

const isSource = /\.(?:ts|mts|cts|mjs|cjs|js)$/;
/** Comments and strings. A mistake of this simple form only means that a few words of code are read, too. */
const texts = /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Strings that are SQL or a single word, such as a name of the code. */
const isCode = /^['"`](?:\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)\s|[^ ]*$)/;
/** Expressions within a template. */
const expressions = /\$\{[^}]*\}/g;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !excluded.test(file) && existsSync(path.join(root, file)));

let faults = 0;
for (const file of files) {
  const content = readFileSync(path.join(root, file), 'utf8');
  const pieces = isSource.test(file)
    ? [...content.matchAll(texts)].map(({ 0: text, index }) => ({
        text: text.replaceAll(expressions, (expression) => '$'.repeat(expression.length)),
        index,
      }))
    : [{ text: content, index: 0 }];
  const allowed = exceptions.filter((each) => each.file === file);
  for (const { text, index } of pieces) {
    if (isCode.test(text) || allowed.some((each) => text.includes(each.text))) continue;
    for (const [word, better] of words)
      for (const found of text.matchAll(new RegExp(word, 'gi'))) {
        const line = content.slice(0, index + found.index).split('\n').length;
        faults += 1;
        console.log(`${file}:${line}: "${found[0].replaceAll(/\s+/g, ' ')}": write ${better}`);
      }
  }
}
console.log(`${files.length} files, ${faults} unclear words`);
process.exitCode = faults > 0 ? 1 : 0;
