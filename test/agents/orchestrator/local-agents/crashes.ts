import process from 'node:process';

// An agent for the tests: ends right after its start.
process.stdout.write('about to crash\n');
process.exitCode = 3;
