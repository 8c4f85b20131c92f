import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { previousSignatureHeader, signatureHeader, signatureOf } from '../../src/webhooks/signature.ts';
import { signedBody } from '../support/signed-body.ts';
import { eventOf, payloads } from './payloads.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The example of docs/webhooks.md whose first line is a comment with the name of its file. */
async function exampleOf(file: string): Promise<string> {
  const page = await readFile(path.join(root, 'docs/webhooks.md'), 'utf8');
  const fences = [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const found = fences.filter((code) => new RegExp(`^(//|#) ${file}: `).test(code));
  expect(found, file).toHaveLength(1);
  return found[0] as string;
}

/**
 * A folder as a reader has it: the example, express, and of this package what `exports` gives away, copied, so that nothing
 * beside it can be reached.
 */
export async function folderWith(file: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-receiver-'));
  await writeFile(path.join(folder, file), await exampleOf(file));
  const installed = path.join(folder, 'node_modules/patchbay');
  await mkdir(installed, { recursive: true });
  await cp(path.join(root, 'package.json'), path.join(installed, 'package.json'));
  const { exports } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  for (const entry of Object.values<string>(exports['./verify-webhook']))
    await cp(path.join(root, entry), path.join(installed, entry));
  await symlink(path.join(root, 'node_modules/express'), path.join(folder, 'node_modules/express'));
  return folder;
}

export interface Receiver {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly lines: readonly string[];
  /** Waits for a line that it will print, or has printed. */
  lineWith(text: string): Promise<string>;
}

/** Starts a program that prints `Listening on …` with the port at the end. */
export async function startReceiver(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Receiver> {
  const child = spawn(program, args, {
    cwd: root,
    // Express prints each refusal otherwise.
    env: { PATH: process.env.PATH, PORT: '0', NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(line));
  const lineWith = async (text: string): Promise<string> => {
    for (;;) {
      const found = lines.find((line) => line.includes(text));
      if (found !== undefined) return found;
      const [line] = await Promise.race([once(reader, 'line'), once(child, 'exit')]);
      if (typeof line !== 'string') throw new Error(`It ended with ${line} before it said ${text}`);
    }
  };
  const port = /(\d+)(;|$)/.exec(await lineWith('Listening on'))?.[1];
  return { url: `http://127.0.0.1:${port}/webhooks`, child, lines, lineWith };
}

export async function stopReceiver({ child }: Receiver): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The answer's status; `broken off` when there was none. */
export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number | 'broken off'> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'broken off';
  }
}

/** What every receiver of the page must do, with this secret. */
export async function expectProper(receiver: Receiver, secret: string): Promise<void> {
  const { url } = receiver;
  const deliver = (body: string, signature: string, previous?: string) =>
    post(url, body, {
      [signatureHeader]: signature,
      ...(previous !== undefined && { [previousSignatureHeader]: previous }),
    });

  let number = 0;
  const idOf = (n: number) => `0197b7f0-0000-7000-8000-${String(n).padStart(12, '0')}`;
  for (const [name, data] of Object.entries(payloads)) {
    number += 1;
    const { body, signature } = signedBody({ ...eventOf(data), id: idOf(number) }, secret);
    expect(await deliver(body, signature), name).toBe(204);
  }

  // The same event again, as a retry.
  const first = Object.values(payloads)[0] as object;
  const again = signedBody({ ...eventOf(first, 1), id: idOf(1) }, secret);
  expect(await deliver(again.body, again.signature)).toBe(204);

  // After a rotation that the receiver has not heard of.
  const rotated = signedBody({ ...eventOf({}), id: idOf(number + 1) }, 'whsec_the-new-one-of-the-rotation');
  expect(await deliver(rotated.body, rotated.signature, signatureOf(rotated.body, secret))).toBe(204);

  const { body, signature } = signedBody({ ...eventOf({}), id: 'canary' }, secret);
  const forged = [
    signatureOf(body, 'x'),
    signatureOf(body, ''),
    '',
    'x',
    `sha256=${signature}`,
    signature.slice(1),
    'é',
  ];
  for (const one of forged) {
    expect(await deliver(body, one), one).toBe(401);
    expect(await deliver(body, one, one), one).toBe(401);
  }
  for (const other of [body.replace('canary', 'Canary'), `${body} `, '', '{', 'x'.repeat(1_000_000)])
    expect(await deliver(other, signature)).toBe(401);
  expect(await post(url, body)).toBe(401);
  expect(await deliver('x'.repeat(4_000_000), signature)).toSatisfy(
    (status) => status === 413 || status === 'broken off',
  );

  const last = signedBody({ ...eventOf({}), id: idOf(number + 2) }, secret);
  expect(await deliver(last.body, last.signature), 'is still there').toBe(204);
  await receiver.lineWith(idOf(number + 2));
  const ids = receiver.lines.flatMap((line) => /0197b7f0-0000-[-0-9]{22}/.exec(line)?.[0] ?? []);
  expect(ids).toEqual(Array.from({ length: number + 2 }, (_, n) => idOf(n + 1)));
  expect(receiver.lines.join('\n')).not.toMatch(/canary/i);
}

export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true });
