import { createServer } from 'node:http';

// An agent for the tests: healthy at once.
createServer((_, response) => response.end('ok')).listen(Number(process.env.PORT));
