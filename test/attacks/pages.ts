import { type Check, type Outcome, outcomeOf, skipped } from './check.ts';
import { beforeCounted, isOver, shown } from './cost.ts';
import { type Reply, send } from './target.ts';

/** Requests that need no credential. */
const pages: readonly { path: string; headers: Record<string, string> }[] = [
  { path: '/metrics', headers: {} },
  { path: '/graphql', headers: { Accept: 'text/html' } },
  { path: '/openapi.json', headers: {} },
  { path: '/docs/api', headers: { Accept: 'text/html' } },
];
const times = 300;

/**
 * Pages in a loop from one address: each is cheap, they are sent packed, and there is an end to them. Needs a product with its
 * own rate limits; behind one proxy, each page is asked for from an address of its own. Source: docs/hazards.md#j11.
 */
export const loops: readonly Check[] = pages.map(({ path, headers: own }, index) => ({
  name: `${times} times ${path} from one address`,
  severity: 'medium',
  async attack(target): Promise<Outcome> {
    const headers = { ...own, 'X-Forwarded-For': `198.51.100.${index + 1}` };
    const page = () => send({ ...target, waitForLimit: null }, { method: 'GET', path, headers, as: 'nobody' });
    const first = await page();
    if (first.status === 429) return skipped('the budget of this address was used up before');
    const isPacked = first.headers.get('content-encoding') !== null || first.text.length < 2_000;
    const loop = async () => {
      const replies: Reply[] = [];
      for (let n = 0; n < times; n++) replies.push(await page());
      return replies;
    };
    const { result: replies, cost } = target.meter
      ? await target.meter.measure(loop)
      : { result: await loop(), cost: null };
    const each = cost && { cpuMs: cost.cpuMs / times, bytes: cost.bytes };
    const refused = replies.filter(({ status }) => status === 429).length;
    const evidence = `${refused} of ${times} refused, ${isPacked ? 'packed' : 'not packed'}, ${each ? `${shown(each)} each` : 'time alone'}`;
    return outcomeOf(refused === 0 || !isPacked || (each !== null && isOver(each, beforeCounted)), evidence);
  },
}));
