import { createServer } from 'node:http';

// An agent for the tests: knows no /healthz, as most web servers.
createServer((request, response) => {
  response.statusCode = request.url === '/' ? 200 : 404;
  response.end();
}).listen(Number(process.env.PORT));
