import type { Request, Response, Router } from 'express';
import { SignInDocument, SignOutDocument } from '../../../../rest-adapter/generated/operations.ts';
import type { Auth } from '../../../auth/index.ts';
import type { Caller } from '../../../platform/caller.ts';
import type { Config } from '../../../platform/config.ts';
import type { Database } from '../../../platform/database/database.ts';
import { ApiError, isApiError, statusOfCode } from '../../../platform/errors.ts';
import type { Mail } from '../../../platform/mail/mail.ts';
import { apiErrorBehind } from '../../graphql/errors.ts';
import type { Graphql } from '../../graphql/graphql.ts';
import type { ReadForm } from '../body.ts';
import { rememberFor } from '../remember.ts';
import { requestIdOf } from '../requests.ts';
import { demoOnPage } from './demo-on-page.ts';
import { favicon, type HomeFacts, homePage } from './home-page.ts';
import { createPackedPage, type SpendPage } from './packed-page.ts';
import { layoutPolicy } from './page-layout.ts';

export interface HomeDependencies {
  readonly graphql: Pick<Graphql, 'contextOf' | 'runRoute'>;
  readonly auth: Pick<Auth, 'accounts'>;
  readonly database: Pick<Database, 'prisma'>;
  readonly mail: Pick<Mail, 'isLocal'>;
  readonly config: Pick<Config, 'APP_URL' | 'DATA_DIR' | 'NODE_ENV'>;
  identify(req: Request): Promise<Caller>;
  /** Whether a request comes from a page of the platform. */
  isSameOrigin(req: Request): boolean;
  readonly readForm: ReadForm;
}

/** The methods of /sign-in and /sign-out. */
export const formMethods = [
  ['/sign-in', 'GET, HEAD, POST'],
  ['/sign-out', 'POST'],
] as const;

/** How old the state of the demo account on the page may be, in milliseconds. */
const demoAgeMs = 1_000;

/**
 * GET `/` and `/sign-in`: the first page; POST /sign-in and /sign-out: its forms, which run the same operations as
 * /api/auth/sign-in and /api/auth/sign-out; GET /favicon.svg.
 */
export function serveHome(pages: Router, deps: HomeDependencies & { spendPage: SpendPage }): void {
  const { graphql, auth, database, mail, config, identify, isSameOrigin, readForm, spendPage } = deps;
  const demo = rememberFor(demoAgeMs, async () =>
    config.NODE_ENV === 'production' ? null : demoOnPage(database, config.DATA_DIR),
  );

  async function show(res: Response, status: number, facts: Pick<HomeFacts, 'user' | 'failure'>): Promise<void> {
    // The page is still of use while the database is away.
    const text = homePage({
      ...facts,
      demo: await demo().catch(() => null),
      isMailLocal: mail.isLocal,
      appUrl: config.APP_URL,
    });
    res.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': layoutPolicy,
      // With the policy of all other responses, browsers send the form with `Origin: null`.
      'Referrer-Policy': 'same-origin',
    });
    res.status(status).type('html').send(text);
  }

  pages.get(['/', '/sign-in'], async (req, res) => {
    await spendPage(req, res);
    const caller = await identify(req);
    const user = caller.principal?.kind === 'session' ? (await auth.accounts.current(caller)).username : null;
    await show(res, 200, { user });
  });

  /** A form of this site: another site must neither sign a browser in, as a user of its choice, nor sign it out. */
  async function callerOfForm(req: Request, res: Response): Promise<Caller> {
    await spendPage(req, res);
    if (!isSameOrigin(req)) throw new ApiError('FORBIDDEN', 'This form accepts requests only from pages of this site');
    return identify(req);
  }

  async function run(
    document: typeof SignInDocument | typeof SignOutDocument,
    variables: unknown,
    { req, res, caller }: { req: Request; res: Response; caller: Caller },
  ): Promise<void> {
    const context = graphql.contextOf({ caller, requestId: requestIdOf(req), res });
    const { errors } = await graphql.runRoute(document, variables, context);
    if (errors?.[0]) throw apiErrorBehind(errors[0]);
  }

  pages.post('/sign-in', async (req, res) => {
    const caller = await callerOfForm(req, res);
    const form = await readForm(req, caller);
    const [name, password] = [form.get('name') ?? '', form.get('password') ?? ''];
    const input = { [name.includes('@') ? 'email' : 'username']: name, password };
    try {
      await run(SignInDocument, { input }, { req, res, caller });
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter));
      return show(res, statusOfCode[error.code], { user: null, failure: { message: sentenceOf(error), name } });
    }
    res.redirect(303, '/');
  });

  pages.post('/sign-out', async (req, res) => {
    const caller = await callerOfForm(req, res);
    await run(SignOutDocument, {}, { req, res, caller });
    res.redirect(303, '/');
  });

  const icon = createPackedPage({
    type: 'image/svg+xml',
    content: Buffer.from(favicon),
    headers: { 'Cache-Control': 'public, max-age=86400' },
    isFixed: true,
  });
  pages.get('/favicon.svg', (req, res) => icon(req, res, spendPage));
}

/** The fields that are wrong, or what else was in the way. */
function sentenceOf({ message, details }: ApiError): string {
  const sentences = Object.values(details ?? {}).filter((detail) => typeof detail === 'string');
  return sentences.length > 0 ? sentences.join('; ') : message;
}
