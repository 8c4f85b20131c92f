import './works.ts';

// An agent for the tests: writes what it was given to its log.
process.stdout.write(`${JSON.stringify(process.env)}\n`);
