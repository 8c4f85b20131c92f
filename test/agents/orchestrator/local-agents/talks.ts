import './works.ts';

// An agent for the tests: writes a line each 10 ms.
let number = 0;
setInterval(() => process.stdout.write(`line ${++number}\n`), 10);
