import { createServer } from 'node:http';

// An agent for the tests: answers its first three requests, and then no more.
let requests = 0;
createServer((_, response) => {
  requests += 1;
  if (requests <= 3) response.end('ok');
}).listen(Number(process.env.PORT));
