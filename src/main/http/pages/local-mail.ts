import type { Request, Router } from 'express';
import type { Auth } from '../../../auth/index.ts';
import type { Caller } from '../../../platform/caller.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { KeptEmail, Mail } from '../../../platform/mail/mail.ts';
import { escaped, policyFor } from './html.ts';
import type { SpendPage } from './packed-page.ts';

/**
 * GET /dev/mail: emails that would have been sent, if there is no mail server, outside production; elsewhere this path
 * does not exist. Only a signed-in user can read them, and only those to the user's own address: a development server
 * may be reachable from outside, and behind a proxy every address looks local.
 */
export function serveLocalMail(
  pages: Router,
  { mail, auth, identify, spendPage }: LocalMailDependencies & { spendPage: SpendPage },
): void {
  if (!mail.isLocal) return;
  pages.get('/dev/mail', async (req, res) => {
    res.set('Cache-Control', 'no-store');
    await spendPage(req, res);
    const caller = await identify(req);
    if (caller.principal?.kind !== 'session') {
      if (req.accepts(['json', 'html']) === 'html') return res.redirect(303, '/sign-in');
      throw new ApiError('UNAUTHORIZED', 'Sign in at /sign-in, or by POST /api/auth/sign-in, to read your email');
    }
    const { email } = await auth.accounts.current(caller);
    const page = pageOf(email, await mail.kept(email));
    res.set('Content-Security-Policy', policy).type('html').send(page);
  });
}

export interface LocalMailDependencies {
  readonly mail: Pick<Mail, 'isLocal' | 'kept'>;
  readonly auth: Pick<Auth, 'accounts'>;
  identify(req: Request): Promise<Caller>;
}

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid #8886; border-radius: 6px; padding: 0 1rem; margin: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
time { opacity: .7; }`;

const policy = policyFor(style, { images: "'self'" });

const pageOf = (address: string, emails: readonly KeptEmail[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Email to ${escaped(address)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<h1>Email to ${escaped(address)}</h1>
<p>No mail server is set (SMTP_URL), so email is kept here: the newest 500 of all users. <a href="/">Start page</a></p>
${emails.map(articleOf).join('\n') || '<p>No email so far.</p>'}
</body>
</html>
`;

const articleOf = ({ subject, text, createdAt }: KeptEmail) => `<article>
<h2>${escaped(subject)}</h2>
<time>${createdAt.toISOString()}</time>
<pre>${escaped(text)}</pre>
</article>`;
