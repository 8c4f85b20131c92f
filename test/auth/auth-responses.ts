import { expect } from 'vitest';
import type { z } from 'zod';
import { authRoutes } from '../../rest-adapter/auth/routes.ts';
import type { Answer } from '../support/server.ts';

export const password = 'correct horse battery';
export const unknownUuid = '00000000-0000-4000-8000-000000000000';
let people = 0;
export const newPerson = () => {
  const username = `rest-${++people}`;
  return { email: `${username}@example.com`, username, password };
};

const answerOf = (method: string, path: string): z.ZodType => {
  const route = authRoutes.find((each) => each.method === method && each.path === path);
  if (!route) throw new Error(`no route ${method} ${path}`);
  return route.response;
};

/** The answer is 200 and has the documented shape, no field more or less. */
export function expectDocumented(answer: Answer, method: string, path: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: expect.anything() });
  expect(answerOf(method, path).safeParse(answer.body)).toMatchObject({ success: true });
}

export function expectRefused(answer: Answer, status: number, code: string, details?: object): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error: { code, message: expect.any(String), ...(details && { details }) } },
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

export const cookieOf = ({ headers }: Answer) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith('session_token='));
export const tokenOf = (answer: Answer) => /^session_token=([^;]*)/.exec(cookieOf(answer) ?? '')?.[1] ?? '';
export const withCookie = (token: string) => ({ Cookie: `session_token=${token}` });
