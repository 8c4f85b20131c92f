import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { closePort } from '../../../src/main/process/connections.ts';
import { sharedPort } from '../../../src/main/process/shared-port.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { patienceMs, within } from '../../support/deadline.ts';

/** What a connection gets to read until its end; the code of the error that ended it. */
function textOf(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' });
    cleanUp(() => socket.destroy());
    socket
      .on('data', (chunk) => {
        text += chunk;
      })
      .on('end', () => resolve(text))
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
  });
}

/** A process that answers each connection with a word, or one that hangs at the first. */
function taker(kind: 'answers' | 'hangs'): ChildProcess {
  const onConnection = {
    answers: "process.send('patchbay:taken'); socket.end('hello')",
    hangs: 'for (;;);',
  }[kind];
  const code = `process.on('message', (message, socket) => { ${onConnection} })`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  cleanUp(() => child.kill('SIGKILL'));
  return child;
}

const soon = <Result>(what: string, promise: Promise<Result>) => within(what, patienceMs, promise);

it('a port that closes first answers the connections that wait in the kernel, and then refuses new ones', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('hello')).listen(0);
  cleanUp(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const texts = Array.from({ length: 50 }, () => textOf(port));
  // The kernel completes them in this turn of the event loop; the server accepts in later ones.
  await new Promise((resolve) => process.nextTick(resolve));
  await soon('the close', closePort(server));
  expect(await soon('the answers', Promise.all(texts))).toEqual(Array(50).fill('hello'));
  expect(await textOf(port)).toBe('ECONNREFUSED');
});

it('a connection waits while no process can take it, and one that a killed process did not take goes to the next', async () => {
  const shared = sharedPort();
  cleanUp(shared.end);
  const port = await shared.listen(0);
  const first = textOf(port);
  const hung = taker('hangs');
  shared.add(hung);
  const second = textOf(port);
  hung.kill('SIGKILL');
  await soon('the end', once(hung, 'exit'));
  shared.lost(hung);
  shared.add(taker('answers'));
  expect(await soon('the answers', Promise.all([first, second]))).toEqual(['hello', 'hello']);
});

it('a shared port that closes hands over what waits in the kernel before it is refused', async () => {
  const shared = sharedPort();
  cleanUp(shared.end);
  const port = await shared.listen(0);
  shared.add(taker('answers'));
  const texts = Array.from({ length: 20 }, () => textOf(port));
  await new Promise((resolve) => process.nextTick(resolve));
  await soon('the close', shared.close());
  expect(await soon('the answers', Promise.all(texts))).toEqual(Array(20).fill('hello'));
  expect(await textOf(port)).toBe('ECONNREFUSED');
});
