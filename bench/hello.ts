import { createServer } from 'node:http';

// The ceiling: what node:http itself costs.

const text = JSON.stringify({ success: true });

createServer((_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length });
  res.end(text);
}).listen(Number(process.env.PORT));
