import './works.ts';

// An agent for the tests: does not end when it is asked to.
process.on('SIGTERM', () => process.stdout.write('no\n'));
