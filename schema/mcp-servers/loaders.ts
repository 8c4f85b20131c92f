import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { Capability, CapabilityKind, McpServerStats } from '../../src/mcp-servers/index.ts';
import { readForAnswer } from '../answer-budget.ts';
import type { Context } from '../context.ts';

interface Asked {
  readonly serverUuid: string;
  readonly kind: CapabilityKind;
}

interface Loaders {
  readonly capabilities: DataLoader<Asked, Capability[]>;
  readonly stats: DataLoader<string, McpServerStats | null>;
}

/**
 * By execution, whose variables are its own: each event of a subscription is one. By caller, too: what follows a sign-in in
 * one operation belongs to another caller.
 */
const loaders = new WeakMap<object, WeakMap<Context['caller'], Loaders>>();

/**
 * What all servers of an answer are asked at once, in one statement each. Nothing is remembered: the next mutation of the same
 * document may change it. What they offer is at most 32 MB in an answer, however many lists of servers it has.
 */
export function serverLoaders({ caller, services }: Context, info: GraphQLResolveInfo): Loaders {
  const ofExecution = loaders.get(info.variableValues) ?? new WeakMap();
  loaders.set(info.variableValues, ofExecution);
  const known = ofExecution.get(caller);
  if (known) return known;
  const { capabilities, usage } = services.mcpServers;
  const made: Loaders = {
    capabilities: new DataLoader(
      async (asked) => {
        const bytesOf = ({ bytes }: { bytes: number }) => bytes;
        return (await readForAnswer(info, { bytesOf }, (bytesMax) => capabilities.of(caller, asked, bytesMax))).offers;
      },
      { cache: false },
    ),
    stats: new DataLoader((uuids) => usage.statsOfAll(caller, uuids), { cache: false }),
  };
  ofExecution.set(caller, made);
  return made;
}
