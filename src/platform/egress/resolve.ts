import { lookup, Resolver } from 'node:dns/promises';

/**
 * All addresses of a name.
 *
 * @throws When it has none, or no name server answered.
 */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Asks the name servers directly. `dns.lookup` would hold one of the four threads that files and passwords need, for as long
 * as a hostile name server keeps it waiting; it would also read /etc/hosts and complete names by the search list, and so
 * find hosts of the inside.
 */
export const resolvePublic: Resolve = async (name) => {
  // Made for each question: it reads resolv.conf at its start only, and connections are made rarely.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** As every program of the machine does: for names that EGRESS_ALLOW holds, which may stand in /etc/hosts only. */
export const resolveAsSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);
