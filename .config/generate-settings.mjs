// What is written down of models in the code, between two marks: .env.example and the table of settings in the README; the life
// cycle of agents in docs/agents.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentStates, eventOfState, transitions } from '../src/agents/lifecycle.ts';
import { printEnvExample, printReadmeTable } from '../src/platform/config.ts';

const root = path.resolve(import.meta.dirname, '..');
writeFileSync(path.join(root, '.env.example'), printEnvExample());

write('README.md', 'settings', printReadmeTable());
write('docs/agents.md', 'lifecycle', printLifecycle());

/** Replaces what stands between the marks of a name. */
function write(file, name, content) {
  const place = path.join(root, file);
  const text = readFileSync(place, 'utf8');
  const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marked.test(text)) throw new Error(`${file} has no place for ${name}`);
  writeFileSync(
    place,
    text.replace(marked, (_all, start, end) => `${start}${content}\n${end}`),
  );
}

/** The table of transitions, and the same as a diagram. */
function printLifecycle() {
  const rows = agentStates.map((from) => `| ${from} | ${transitions[from].join(', ') || 'none'} |`);
  const arrows = agentStates.flatMap((from) =>
    transitions[from].map((to) => `  ${from} --> ${to}: ${eventOfState[to]}`),
  );
  return [
    '| from | to |',
    '|---|---|',
    ...rows,
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> NEW: CREATED',
    ...arrows,
    '```',
  ].join('\n');
}
