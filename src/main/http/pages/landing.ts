import type { Router } from 'express';
import { landingPage, linkLanding, serverLanding } from './landing-page.ts';
import type { SpendPage } from './packed-page.ts';
import { layoutPolicy } from './page-layout.ts';

/** Where the callbacks of oauth-callbacks.ts send the browser, with the parameters that they set. */
const landings = [
  { path: '/mcp-servers', done: 'oauth_success', error: 'oauth_error', texts: serverLanding },
  { path: '/registry', done: 'linked', error: 'link_error', texts: linkLanding },
] as const;

export const landingPaths = landings.map(({ path }) => path);

/** GET /mcp-servers and /registry: how an authorization ended, in words. They need no session and show no data of a user. */
export function serveLandings(pages: Router, { spendPage }: { spendPage: SpendPage }): void {
  for (const { path, done, error, texts } of landings)
    pages.get(path, async (req, res) => {
      res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
      await spendPage(req, res);
      const query = new URLSearchParams(req.originalUrl.split('?')[1]);
      const page = landingPage(texts, { isDone: query.get(done) === 'true', error: query.get(error) });
      res.set('Content-Security-Policy', layoutPolicy).type('html').send(page);
    });
}
