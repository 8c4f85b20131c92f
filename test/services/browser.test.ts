import { type Browser, chromium, type Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { patienceMs } from '../support/deadline.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { freePort } from './free-port.ts';
import { pathOf } from './programs.ts';

const port = await freePort();
// The API reference sends what is tried out to the address that the document names.
const server = await startTestServer({ PORT: String(port), APP_URL: `http://127.0.0.1:${port}` });
let browser: Browser;

beforeAll(async () => {
  // A profile of its own comes with each launch. What the browser would ask of its makers by itself is switched off.
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  browser = await chromium.launch({
    executablePath: pathOf('chromium'),
    headless: true,
    chromiumSandbox: false,
    args: [...quiet, '--disable-gpu', '--disable-quic'],
  });
  cleanUp(() => browser.close());
});

let page: Page;
/** Addresses of other origins that the page asked for, and what went wrong in it. */
const foreign: string[] = [];
const errors: string[] = [];

beforeEach(async () => {
  foreign.length = 0;
  errors.length = 0;
  page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(patienceMs);
  const note = (url: string) => {
    const { origin, protocol } = new URL(url);
    // What a page makes itself (blob:) has its origin; data: has none and comes from nowhere.
    if (protocol !== 'data:' && origin.replace(/^ws/, 'http') !== server.base) foreign.push(url);
  };
  page.on('request', (request) => note(request.url()));
  page.on('websocket', (socket) => note(socket.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
});

const expectQuiet = () => expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });

/** Puts a text in place of an editor's content, as a person who pastes it. */
async function fill(editor: string, text: string): Promise<void> {
  await page.locator(`${editor} .view-lines`).first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

const resultHas = (text: string) => page.locator('.result-window', { hasText: text }).waitFor();

/** @param query An operation by the name of Tried. */
async function openGraphiql(secret: string, query: string): Promise<void> {
  const answer = await page.goto(`${server.base}/graphql`);
  expect(answer?.status()).toBe(200);
  await page.getByRole('button', { name: 'Headers' }).click();
  await fill(
    '.graphiql-editor-tool .graphiql-editor:not(.hidden)',
    JSON.stringify({ Authorization: `Bearer ${secret}` }),
  );
  await fill('.graphiql-query-editor', query);
  // GraphiQL takes in what was typed a moment later, and then names the tab after the operation.
  await page.locator('.graphiql-tab-button', { hasText: 'Tried' }).waitFor();
}

const execute = () => page.locator('.graphiql-execute-button').click();

describe('GraphiQL at /graphql', () => {
  it('runs a query with the key of its headers and shows the result, without other requests', async () => {
    const { call, secret } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'greeting', value: 'hello from the browser' });
    await openGraphiql(secret, 'query Tried { clipboardEntries(first: 1) { nodes { name value } totalCount } }');
    await execute();
    await resultHas('"value": "hello from the browser"');
    await resultHas('"totalCount": 1');
    expectQuiet();
  });

  it('with a wrong key shows the refusal', async () => {
    await openGraphiql('pbk_wrong', 'query Tried { clipboardEntries { totalCount } }');
    await execute();
    await resultHas('"UNAUTHORIZED"');
    expect(foreign).toEqual([]);
  });

  it('shows the events of a subscription while they happen', async () => {
    const { call, secret } = await tenantOf(server);
    await openGraphiql(secret, 'subscription Tried { clipboardChanged { kind entry { value } } }');
    const established = page.waitForResponse((response) => response.headers()['content-type'] === 'text/event-stream');
    await execute();
    await established;
    await call('POST', '/api/clipboard/push', { value: 'live' });
    await resultHas('"value": "live"');
    await call('DELETE', '/api/clipboard/pop');
    await resultHas('"kind": "POPPED"');
    expectQuiet();
  });
});

describe('the API reference at /docs/api', () => {
  /** Opens it in a window that holds all of it: Swagger UI renders only the operations in sight. */
  async function openReference() {
    await page.setViewportSize({ width: 1_280, height: 20_000 });
    return page.goto(`${server.base}/docs/api`);
  }

  it('renders every operation of the OpenAPI document, without other requests', async () => {
    const { paths } = (await (await fetch(`${server.base}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => methods.has(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(10);

    expect((await openReference())?.status()).toBe(200);
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor();
    const shown = await Promise.all(
      (await page.locator('.opblock-summary').all()).map(async (summary) => {
        const method = await summary.locator('.opblock-summary-method').textContent();
        return `${method} ${await summary.locator('[data-path]').getAttribute('data-path')}`;
      }),
    );
    expect(shown.sort()).toEqual(operations.sort());
    expectQuiet();
  });

  it('shows what an operation takes and answers, and tries it out with a key', async () => {
    const { call, secret } = await tenantOf(server);
    await call('POST', '/api/clipboard', { name: 'n', value: 'tried out' });
    await openReference();
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.modal-ux input').first().fill(secret);
    await page.locator('.modal-ux .auth.authorize').first().click();
    await page.locator('.modal-ux .btn-done').first().click();
    const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/api/clipboard"]') });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .highlight-code', { hasText: 'tried out' }).waitFor();
    expectQuiet();
  });
});

describe('the sign-in form', () => {
  it('signs in and out without scripts, and opens the email', async () => {
    // The browser drops a cookie whose time is over by its own clock.
    const current = await startTestServer({}, undefined, { isRealTime: true });
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const plain = await context.newPage();
    plain.setDefaultTimeout(patienceMs);
    plain.on('console', (message) => errors.push(message.text()));
    plain.on('requestfailed', (request) => errors.push(request.url()));
    const [username, password] = [`plain-${port}`, 'correct horse battery staple'];
    await current.services.auth.accounts.signUp(
      { principal: null, address: '' },
      { email: `${username}@people.example`, username, password },
    );
    await plain.goto(`${current.base}/dev/mail`);
    expect(plain.url()).toBe(`${current.base}/sign-in`);
    await plain.getByLabel('User name or email address').fill(username);
    await plain.getByLabel('Password').fill(password);
    await plain.getByRole('button', { name: 'Sign in' }).click();
    await plain.getByText(`You are signed in as ${username}.`).waitFor();
    await plain.getByRole('link', { name: 'Email' }).click();
    await plain.getByRole('heading', { name: `Email to ${username}@people.example` }).waitFor();
    await plain.getByRole('link', { name: 'Start page' }).click();
    await plain.getByRole('button', { name: 'Sign out' }).click();
    await plain.getByRole('button', { name: 'Sign in' }).waitFor();
    expectQuiet();
  });
});

describe('the pages that an authorization ends on', () => {
  it.each([
    ['/mcp-servers?oauth_success=true', 'status', 'The server is authorized.'],
    ['/registry?link_error=access_denied', 'alert', 'You did not allow the access.'],
  ] as const)('%s shows the outcome as %s, and leads to the start page', async (path, role, sentence) => {
    await page.goto(server.base + path);
    await page.getByRole(role).filter({ hasText: sentence }).waitFor();
    await page.getByRole('link', { name: 'Start page' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expectQuiet();
  });
});
