import type { TestServer } from './server.ts';

/** What the gauge says is open: sockets, or subscriptions over whichever transport. */
export async function liveConnections(
  { base }: Pick<TestServer, 'base'>,
  kind: 'socket' | 'subscription',
): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return Number(new RegExp(`^patchbay_live_connections\\{kind="${kind}"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
}
