import './works.ts';

// An agent for the tests: writes 4 MB in lines, a last one of which without an end.
const line = `${'x'.repeat(99)}\n`;
for (let number = 0; number < 40; number++) process.stdout.write(line.repeat(1_000));
process.stdout.write('y'.repeat(40_000));
