// What is written down of the environment's model: .env.example, and the table in the README between its two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printEnvExample, printReadmeTable } from '../src/platform/config.ts';

const root = path.resolve(import.meta.dirname, '..');
writeFileSync(path.join(root, '.env.example'), printEnvExample());

const readme = path.join(root, 'README.md');
const text = readFileSync(readme, 'utf8');
const marked = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
if (!marked.test(text)) throw new Error('README.md has no place for the table of settings');
writeFileSync(
  readme,
  text.replace(marked, (_all, start, end) => `${start}${printReadmeTable()}\n${end}`),
);
