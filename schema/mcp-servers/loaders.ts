import DataLoader from 'dataloader';
import type { Capability, CapabilityKind, McpServerStats } from '../../src/mcp-servers/index.ts';
import type { Context } from '../context.ts';

interface Asked {
  readonly serverUuid: string;
  readonly kind: CapabilityKind;
}

interface Loaders {
  readonly capabilities: DataLoader<Asked, Capability[]>;
  readonly stats: DataLoader<string, McpServerStats | null>;
}

/** By caller, too: what follows a sign-in in one operation is asked by somebody else. */
const loaders = new WeakMap<Context, WeakMap<Context['caller'], Loaders>>();

/**
 * What all servers of an answer are asked at once, in one statement each. Nothing is remembered: the next mutation of the same
 * document may change it.
 */
export function serverLoaders(context: Context): Loaders {
  const { caller, services } = context;
  const ofContext = loaders.get(context) ?? new WeakMap();
  loaders.set(context, ofContext);
  const known = ofContext.get(caller);
  if (known) return known;
  const { capabilities, usage } = services.mcpServers;
  const made: Loaders = {
    capabilities: new DataLoader((asked) => capabilities.of(caller, asked), { cache: false }),
    stats: new DataLoader((uuids) => usage.statsOfAll(caller, uuids), { cache: false }),
  };
  ofContext.set(caller, made);
  return made;
}
