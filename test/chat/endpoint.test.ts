import { describe, expect, it } from 'vitest';
import { createEndpointModels, type EndpointLimits } from '../../src/chat/endpoint.ts';
import { promptOf } from '../../src/chat/prompt.ts';
import { allowancesOf, noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { verifies } from '../requirements.ts';
import {
  answers,
  babbles,
  cutsOff,
  endsEarly,
  floods,
  says,
  saysUncounted,
  stalls,
  startChatModel,
} from '../support/chat-model.ts';
import { cleanUp } from '../support/cleanup.ts';
import { patienceMs } from '../support/deadline.ts';

const endpoint = await startChatModel();

function modelsWith({ limits, apiKey = null }: { limits?: EndpointLimits; apiKey?: string | null } = {}) {
  const egress = createEgress({
    isProduction: false,
    allow: allowancesOf(`127.0.0.1:${endpoint.port}`) ?? noAllowances,
  });
  cleanUp(async () => egress.close());
  const delays: number[] = [];
  const models = createEndpointModels({
    endpoint: { baseUrl: endpoint.baseUrl, apiKey, models: ['m'], contextTokens: 8_192 },
    egress,
    log: createLogger('silent'),
    ...(limits && { limits }),
    delay: async (ms) => void delays.push(ms),
  });
  return { models, delays };
}

const prompt = promptOf({
  question: 'Why?',
  passages: [],
  turns: [{ question: 'Before?', answer: 'Yes.' }],
  includeContext: false,
  contextTokens: 8_192,
  maxTokens: 500,
});

async function ask({ models }: ReturnType<typeof modelsWith>, signal = new AbortController().signal) {
  let text = '';
  const call = { model: 'm', prompt, temperature: 0.5, tools: [], signal };
  let usage: unknown = null;
  const outcome = await models
    .answer({
      ...call,
      onText(piece) {
        text += piece;
      },
      onUsage(used) {
        usage = used;
      },
      onImpossibleCall: async () => undefined,
    })
    .catch((error: unknown) => error);
  return { text, outcome, usage };
}

describe('an endpoint', () => {
  it('is asked for a stream, and its pieces are given on as they come', verifies('chat.endpoint'), async () => {
    endpoint.reply(says('Be', 'cause ', 'of \u{1f680}.'));
    endpoint.requests.length = 0;
    const { text, usage } = await ask(modelsWith({ apiKey: 'secret-key' }));
    expect(text).toBe('Because of \u{1f680}.');
    expect(usage).toEqual({ inputTokens: 120, outputTokens: 30, isEstimated: false });
    const [request] = endpoint.requests;
    expect(request).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer secret-key' } });
    expect(request?.body).toMatchObject({
      model: 'm',
      temperature: 0.5,
      max_tokens: 500,
      stream: true,
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: 'Before?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Why?' },
      ],
    });
    expect(request?.body.tools).toBeUndefined();
  });

  it('that counts no tokens has its tokens estimated', async () => {
    endpoint.reply(saysUncounted('Because.'));
    const { usage } = await ask(modelsWith());
    expect(usage).toEqual({ inputTokens: prompt.inputTokens, outputTokens: 3, isEstimated: true });
  });

  it('that is busy is asked again after as long as it says', async () => {
    endpoint.reply(answers(429, '{}', { 'Retry-After': '7' }), answers(503, '{}'), says('Now.'));
    const stage = modelsWith();
    expect((await ask(stage)).text).toBe('Now.');
    expect(stage.delays).toEqual([7_000, 2_000]);
  });

  it('that stays busy, or asks for much patience, fails the answer', async () => {
    endpoint.reply(answers(429, '{}', { 'Retry-After': '5' }));
    const stage = modelsWith();
    expect((await ask(stage)).outcome).toMatchObject({
      name: 'ModelFailure',
      message: expect.stringContaining('in 5 seconds'),
    });
    expect(stage.delays).toEqual([5_000, 5_000]);
    endpoint.reply(answers(429, '{}', { 'Retry-After': '3600' }));
    const impatient = modelsWith();
    expect((await ask(impatient)).outcome).toMatchObject({ message: expect.stringContaining('3600 seconds') });
    expect(impatient.delays).toEqual([]);
  });

  it.each([
    ['fails', answers(500, '{"error": {"message": "stack of secrets"}}'), '', 'status 500'],
    ['refuses', answers(400, '{"error": {"message": "stack of secrets"}}'), '', 'status 400'],
    ['refuses the key', answers(401, '{}'), '', 'credentials'],
    ['redirects', answers(302, '', { Location: 'http://169.254.169.254/' }), '', 'status 302'],
    ['breaks the connection', cutsOff('Half'), 'Half', 'cut off'],
    ['ends without an end', endsEarly('Half'), 'Half', 'cut off'],
    ['streams no JSON', babbles, '', 'could not be read'],
    ['answers with a page', answers(200, '<html>stack of secrets</html>', { 'Content-Type': 'text/html' }), '', ''],
  ])('that %s fails the answer, and its text is kept', async (_what, reply, written, words) => {
    endpoint.reply(reply);
    const { text, outcome } = await ask(modelsWith());
    expect(text).toBe(written);
    expect(outcome).toMatchObject({ name: 'ModelFailure', message: expect.stringContaining(words) });
    expect(String(outcome)).not.toContain('secrets');
  });

  it('that stalls is given up after its time', async () => {
    endpoint.reply(stalls('Wait'));
    const { text, outcome } = await ask(modelsWith({ limits: { responseMs: 150, responseBytes: 1e6 } }));
    expect([text, outcome]).toEqual(['Wait', expect.objectContaining({ message: expect.stringContaining('in time') })]);
  });

  it('that streams without an end is cut off at its bytes', verifies('chat.endpoint'), async () => {
    endpoint.reply(floods);
    const { text, outcome } = await ask(modelsWith({ limits: { responseMs: patienceMs, responseBytes: 200_000 } }));
    expect(text.length).toBeLessThan(200_000);
    expect(outcome).toMatchObject({ message: expect.stringContaining('too large') });
  });

  it('is left when the answer is aborted', async () => {
    const stop = new AbortController();
    endpoint.reply(stalls('Wait'));
    endpoint.requests.length = 0;
    const asked = ask(modelsWith(), stop.signal);
    await expect.poll(() => endpoint.requests.length).toBe(1);
    stop.abort();
    expect((await asked).outcome).not.toMatchObject({ name: 'ModelFailure' });
    await expect.poll(() => endpoint.requests[0]?.isClosed()).toBe(true);
  });
});
