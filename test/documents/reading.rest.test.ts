import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { Call, TestServer } from '../support/server.ts';
import { tenantOf } from '../support/server.ts';
import { ingest, libraryOf, startDocumentServer, type Upload } from './document-stage.ts';
import { storeDocument } from './stored-text.ts';

let server: TestServer;
let call: Call;
let upload: Upload;
let profileUuid: string;

beforeAll(async () => {
  server = await startDocumentServer();
  const library = await libraryOf(server);
  ({ call, upload } = library);
  profileUuid = library.caller.principal?.profileUuid as string;
});

const text = (id: string, query = '') => call('GET', `/api/documents/${id}/text${query}`);
const grep = (query: Record<string, string>) => call('GET', `/api/documents/grep?${new URLSearchParams(query)}`);

describe('a document', () => {
  it('is read by lines, from upload to the last line', verifies('documents.reading'), async () => {
    const content = Array.from({ length: 450 }, (_, index) => `line ${index + 1} 😀\n`).join('');
    const { body } = await upload(content, { title: 'Lines' });
    expect((await text(body.documentId)).status).toBe(409);
    await ingest(server);
    const first = (await text(body.documentId)).body;
    expect(first).toMatchObject({ documentId: body.documentId, title: 'Lines', version: 1, fromLine: 1, toLine: 200 });
    expect(first).toMatchObject({ totalLines: 450, start: 0, page: null, isCut: false, nextLine: 201 });
    let all = '';
    for (let line: number | null = 1; line !== null; ) {
      const { body: page } = await text(body.documentId, `?fromLine=${line}&lines=170`);
      expect(content.slice(page.start, page.end)).toBe(page.text);
      all += page.text;
      line = page.nextLine;
    }
    expect(all).toBe(content);
    const last = (await text(body.documentId, '?fromLine=450&lines=5')).body;
    expect(last).toMatchObject({ text: 'line 450 😀\n', toLine: 450, nextLine: null });
    const beyond = (await text(body.documentId, '?fromLine=451')).body;
    expect(beyond).toMatchObject({ text: '', fromLine: 451, toLine: 450, start: content.length, nextLine: null });
  });

  it('of many parts, long lines and pages is read at every line', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'é'.repeat((index * 37) % 300)}`);
    lines[1_500] = 'x'.repeat(250_000);
    const whole = lines.join('\n');
    const half = whole.indexOf('2000 ');
    const id = await storeDocument(server.database, profileUuid, [whole], { pageStarts: [0, half] });
    for (const line of [1, 700, 1_499, 1_502, 2_001, 3_000]) {
      const { body } = await text(id, `?fromLine=${line}&lines=1`);
      expect(body.text.replace(/\n$/, '')).toBe(lines[line - 1]);
      expect(body).toMatchObject({ toLine: line, totalLines: 3_000, page: line > 2_000 ? 2 : 1 });
    }
    const long = (await text(id, '?fromLine=1501&lines=3')).body;
    expect(long).toMatchObject({ isCut: true, toLine: 1_501, nextLine: 1_502 });
    expect(long.text).toHaveLength(100_000);
    const many = (await text(id, '?fromLine=1&lines=500')).body;
    expect(many.text.length).toBeLessThanOrEqual(100_000);
    expect(many.nextLine).toBe(many.toLine + 1);
  });

  it('that cannot be read says why, and every wrong field is named', async () => {
    const id = await storeDocument(server.database, profileUuid, [null]);
    expect(await text(id)).toMatchObject({ status: 409, body: { error: { message: 'The file is damaged.' } } });
    const wrong = await text(id, '?fromLine=0&lines=501&version=x');
    expect(Object.keys(wrong.body.error.details)).toEqual(['version', 'fromLine', 'lines']);
    const pattern = await grep({ pattern: 'x'.repeat(201), limit: '101', contextLines: '6', after: '!' });
    expect(Object.keys(pattern.body.error.details)).toEqual(['pattern', 'contextLines', 'limit']);
    for (const bad of ['(', '(?=look)', '\\1', '(?:a{1,100}){1,100}', '[a-z]{300}{300}', '(?:a{1,30}){1,30}'])
      expect((await grep({ pattern: bad })).body.error.details).toHaveProperty('pattern');
    expect((await grep({ pattern: 'x', after: 'bm9uZQ' })).body.error.details).toHaveProperty('after');
  });

  it('of another tenant, also a public one, and a deleted one look like one that does not exist', async () => {
    const other = await tenantOf(server);
    const theirs = await storeDocument(server.database, other.caller.principal?.profileUuid as string, [
      'canary',
      'canary 2',
    ]);
    const deleted = await storeDocument(server.database, profileUuid, ['canary', 'canary 2'], {
      deletedAt: server.clock.now(),
    });
    const nothing = '00000000-0000-4000-8000-000000000000';
    for (const id of [theirs, deleted, nothing, 'x']) {
      expect((await text(id)).status).toBe(404);
      expect((await call('GET', `/api/documents/${id}/diff`)).status).toBe(404);
      expect((await grep({ pattern: 'canary', documentId: id })).status).toBe(404);
    }
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await grep({ pattern: 'canary', ...(after && { after }) });
      expect(body.matches).toEqual([]);
      after = body.nextCursor;
    }
  });
});

describe('a pattern', () => {
  it('is found in all documents, the newest first, with lines around it', async () => {
    const own = await libraryOf(server);
    const profile = own.caller.principal?.profileUuid as string;
    const older = await storeDocument(server.database, profile, ['one\nAlpha beta\nthree\nalpha'], {
      title: 'Older',
      pageStarts: [0, 15],
    });
    const newer = await storeDocument(server.database, profile, ['old alpha', 'new ALPHA here'], {
      title: 'Newer',
      createdAt: new Date('2026-02-01'),
    });
    const find = async (query: string) => (await own.call('GET', `/api/documents/grep?${query}`)).body;
    expect(await find('pattern=alpha&contextLines=1')).toEqual({
      matches: [
        {
          documentId: newer,
          title: 'Newer',
          version: 2,
          line: 1,
          page: null,
          start: 4,
          end: 9,
          text: 'new ALPHA here',
          before: [],
          after: [],
        },
        {
          documentId: older,
          title: 'Older',
          version: 1,
          line: 2,
          page: 1,
          start: 4,
          end: 9,
          text: 'Alpha beta',
          before: ['one'],
          after: ['three'],
        },
        {
          documentId: older,
          title: 'Older',
          version: 1,
          line: 4,
          page: 2,
          start: 21,
          end: 26,
          text: 'alpha',
          before: ['three'],
          after: [],
        },
      ],
      isComplete: true,
      nextCursor: null,
    });
    expect((await find(`pattern=%5Ealpha&caseSensitive=true&documentId=${older}`)).matches).toHaveLength(1);
    const first = await find('pattern=alpha&limit=2');
    expect(first).toMatchObject({ isComplete: false, matches: [{ line: 1 }, { line: 2 }] });
    const second = await find(`pattern=alpha&limit=2&after=${first.nextCursor}`);
    expect(second).toMatchObject({ isComplete: true, nextCursor: null, matches: [{ line: 4, documentId: older }] });
  });
});

describe('versions', () => {
  it('are compared by lines', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const changed = lines.with(20, 'another line').toSpliced(40, 1);
    const id = await storeDocument(server.database, profileUuid, [lines.join('\n'), changed.join('\n'), null]);
    const diff = (query: string) => call('GET', `/api/documents/${id}/diff?${query}`);
    expect((await diff('contextLines=0')).body).toEqual({
      documentId: id,
      from: 1,
      to: 2,
      patch: '@@ -21,1 +21,1 @@\n-line 20\n+another line\n@@ -41,1 +41,0 @@\n-line 40\n',
      addedLines: 1,
      removedLines: 2,
      isComplete: true,
    });
    expect((await diff('from=2&to=1')).body).toMatchObject({ addedLines: 2, removedLines: 1 });
    expect((await diff('from=1&to=1')).body).toMatchObject({ patch: '' });
    expect((await diff('from=1&to=3')).status).toBe(409);
    expect((await diff('from=1&to=4')).status).toBe(404);
    expect((await diff('to=1')).status).toBe(404);
  });

  it('that differ too much, or are too long, are refused in a short time', async () => {
    const many = (mark: string) => Array.from({ length: 20_000 }, (_, index) => `${mark} ${index}`).join('\n');
    const different = await storeDocument(server.database, profileUuid, [many('a'), many('b')]);
    expect((await call('GET', `/api/documents/${different}/diff`)).status).toBe(413);
    const long = 'a line of text\n'.repeat(140_000);
    const large = await storeDocument(server.database, profileUuid, [long, long]);
    expect((await call('GET', `/api/documents/${large}/diff`)).status).toBe(413);
  });

  it('are compared up to 200 000 lines together, however short these are', async () => {
    const lines = (count: number) => 'x\n'.repeat(count);
    const most = await storeDocument(server.database, profileUuid, [lines(100_001), lines(99_999)]);
    expect(await call('GET', `/api/documents/${most}/diff?contextLines=0`)).toMatchObject({
      status: 200,
      body: { removedLines: 2, addedLines: 0 },
    });
    const more = await storeDocument(server.database, profileUuid, [lines(100_000), lines(100_001)]);
    expect(await call('GET', `/api/documents/${more}/diff`)).toMatchObject({
      status: 413,
      body: { error: { message: 'The two versions exceed 200000 lines in total' } },
    });
  });
});
