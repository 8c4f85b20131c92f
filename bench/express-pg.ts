import express, { type NextFunction, type Request, type Response } from 'express';
import { type Caller, createAuthentication, createClipboard, createPool, Refused } from './hand-written.ts';

// The baseline of most: express and pg.

const pool = createPool();
const authenticate = createAuthentication(pool);
const clipboard = createClipboard(pool);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json({ limit: 13_500_000 }));

const as =
  (scope: string, handle: (caller: Caller, req: Request) => Promise<object>) => async (req: Request, res: Response) =>
    res.json(await handle(await authenticate(req.headers.authorization, scope), req));

app.get(
  '/api/clipboard',
  as('read', (caller, { query }) =>
    query.name === undefined ? clipboard.list(caller, query) : clipboard.get(caller, query.name),
  ),
);
app.post(
  '/api/clipboard/get',
  as('read', (caller, { body }) => clipboard.get(caller, body?.name)),
);
app.post(
  '/api/clipboard',
  as('write', (caller, { body }) => clipboard.set(caller, body)),
);
app.post(
  '/api/clipboard/push',
  as('write', (caller, { body }) => clipboard.push(caller, body)),
);
app.delete(
  '/api/clipboard/pop',
  as('write', (caller) => clipboard.pop(caller)),
);

app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
  if (error instanceof Refused) return void res.status(error.status).json(error.body);
  process.stderr.write(`${error}\n`);
  res.status(500).json({ success: false, error: 'Internal server error' });
});

app.listen(Number(process.env.PORT));
