import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { initialized, type McpRequest, resultOf } from '../support/mcp-host.ts';
import { createTestServices } from '../support/services.ts';
import { discoveryStage } from './discovery-stage.ts';

const { discovered } = discoveryStage(await createTestServices());
const nothing = { ...initialized, capabilities: {} };

/** A server that says in this type and with these words around it what a good one would say. */
const answering = (type: string, wrap: (result: string) => string) =>
  discovered({
    initialize: (request: McpRequest, res: ServerResponse) => {
      res.writeHead(200, { 'Content-Type': type });
      res.end(wrap(resultOf(request, nothing)));
    },
  });
const json = 'application/json';
const events = 'text/event-stream';
const message = '{"jsonrpc":"2.0","method":"x"}';
/** More than comes in one piece. */
const blanks = ' \t\r\n'.repeat(100_000);

it.each<[string, string, (result: string) => string]>([
  ['in a type in capitals', 'Application/JSON', (result) => `[${result}]`],
  ['in a type with a parameter', `${json}; charset=utf-8`, (result) => `[${result}]`],
  ['in a type with blanks', `${json} \t;`, (result) => `[${result}]`],
  ['after a mark', json, (result) => `\ufeff[${result}]`],
  ['after a mark and blanks', json, (result) => `\ufeff\n [${result}]`],
  ['after 256 blanks', json, (result) => `${' '.repeat(256)}[${result}]`],
  ['after pieces of blanks alone', json, (result) => `${blanks}[${result}]`],
])('H03: a batch %s is refused before it is read', verifies('servers.discovery.bounds'), async (_how, type, wrap) => {
  const { server } = await answering(type, wrap);
  expect(server).toMatchObject({
    discoveryStatus: 'failed',
    discoveryError: 'The receiver did not answer with valid HTTP',
  });
});

it('H03: a batch in an event is refused as one message', verifies('servers.discovery.bounds'), async () => {
  const many = `${message},`.repeat(100_000);
  const { server, ms } = await answering(events, (result) => `data: [${many}${result}]\n\n`);
  expect(server.discoveryStatus).toBe('failed');
  expect(ms).toBeLessThan(6_500);
});

it.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('H03: events whose lines end with %s count alike', verifies('servers.discovery.bounds'), async (_name, end) => {
  const told = (times: number) =>
    // What follows the last event shows that its line has ended: after a CR there could come its LF.
    answering(events, (result) => `${`data: ${message}${end}${end}`.repeat(times)}data: ${result}${end}${end}:`);
  expect((await told(4_000)).server.discoveryStatus).toBe('succeeded');
  expect((await told(6_000)).server).toMatchObject({
    discoveryStatus: 'failed',
    discoveryError: 'The receiver answered with too much',
  });
});

it.each<[string, string, (result: string) => string]>([
  ['after a mark and blanks', json, (result) => `\ufeff${blanks}${result}`],
  ['in many lines', 'Application/JSON;charset=utf-8', (result) => `{${'\n'.repeat(20_000)}${result.slice(1)}`],
])('a message %s is heard', verifies('servers.discovery'), async (_how, type, wrap) => {
  expect((await answering(type, wrap)).server.discoveryStatus).toBe('succeeded');
});
