import process from 'node:process';

// An agent for the tests: runs, and answers no request.
process.stdout.write('silent\n');
setInterval(() => undefined, 1_000);
