import { Agent } from 'node:http';
import fc from 'fast-check';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import type { CostMeter } from '../support/process-cost.ts';
import { exchange, type Outgoing } from './exchange.ts';
import { type GraphqlInput, graphqlInputs, graphqlRequest } from './graphql-inputs.ts';
import { createOracle, type Fault } from './oracle.ts';
import { type OpenApi, type RestInput, restInputs, restRequest } from './rest-inputs.ts';
import { createSuspects } from './suspects.ts';
import { createActor } from './world.ts';

export type Input = RestInput | GraphqlInput;

export interface Finding {
  readonly fault: Fault;
  /** Where the fault shows: a route, or a root field. */
  readonly at: string;
  /** How often. */
  times: number;
  /** The first input that showed it, and the request that it became. */
  readonly input: Input;
  readonly request: Outgoing;
  /** Which input it was, for `--only`. */
  readonly place: string;
  /** The smallest input found that still shows it; null where it does not come again by itself. */
  smallest: { input: Input; request: Outgoing; fault: Fault } | null;
}

export interface Summary {
  readonly inputs: number;
  /** Inputs that were sent again, alone, because the product took much while they were under way. */
  readonly replayed: number;
  readonly milliseconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly findings: readonly Finding[];
}

export interface CampaignOptions {
  readonly base: string;
  readonly inputs: number;
  readonly seed: number;
  readonly connections?: number;
  /** One input alone, as a finding's `place` names it. */
  readonly only?: string;
  /** False when the server's process is gone: nothing more is sent then. */
  readonly isAlive?: () => boolean;
  /** Of a product in processes of this machine: what inputs cost is measured then, too. */
  readonly meter?: CostMeter;
  readonly onProgress?: (done: number) => void;
  /** How long the smallest input for a finding may be looked for. */
  readonly shrinkMs?: number;
}

const timeoutMs = 10_000;
/** Inputs end sessions and delete entries; after so many of them there are new ones. */
const renewEvery = 250;

/** Sends seeded inputs over several connections, one at a time on each, and checks every answer. */
export async function runCampaign(options: CampaignOptions): Promise<Summary> {
  const { base, inputs, seed, connections = 8, only, isAlive = () => true, onProgress, shrinkMs = 5_000 } = options;
  const suspects = createSuspects<Pick<Finding, 'input' | 'request' | 'place'>>(options.meter);
  const openApi = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi;
  const introspection = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const schema = buildClientSchema(((await introspection.json()) as { data: never }).data);
  const faultIn = createOracle(openApi);
  const generated: fc.Arbitrary<Input> = fc.oneof(restInputs(openApi), graphqlInputs(schema));
  const startedAt = performance.now();
  const statuses: Record<string, number> = {};
  const findings = new Map<string, Finding>();
  let done = 0;
  let slowestMs = 0;
  const other = await createActor(base, 'other', null);

  const places = only ? [only.split(':').map(Number)] : Array.from({ length: connections }, (_, index) => [index]);
  await Promise.all(
    places.map(async ([connection = 0, onlyIndex]) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const actor = await createActor(base, `fuzz${connection}`, other.world);
      const requestOf = (input: Input) =>
        input.api === 'rest' ? restRequest(input, actor.world) : graphqlRequest(input, actor.world);
      // Where the server is gone, the inputs themselves tell.
      const renew = () =>
        actor.renew().catch((error: unknown) => {
          if (isAlive()) throw error;
        });
      const share = Math.ceil(inputs / connections);
      const numRuns = onlyIndex === undefined ? share : onlyIndex + 1;
      const check = { seed: seed + connection, numRuns };
      let index = -1;
      const property = fc.asyncProperty(generated, async (input) => {
        index += 1;
        if ((onlyIndex !== undefined && index !== onlyIndex) || !isAlive()) return;
        if (index % renewEvery === renewEvery - 1) await renew();
        const request = requestOf(input);
        actor.noteSent(request);
        const sent = { input, request, place: `${connection}:${index}` };
        const answer = await suspects.watched(sent, () => exchange(base, agent, request, timeoutMs));
        done += 1;
        onProgress?.(done);
        const status = 'failure' in answer ? answer.failure : String(answer.status);
        statuses[`${input.api} ${status}`] = (statuses[`${input.api} ${status}`] ?? 0) + 1;
        slowestMs = Math.max(slowestMs, answer.milliseconds);
        const fault = faultIn(request, answer);
        if (fault) note(findings, { fault, ...sent });
      });
      await fc.assert(property, check);

      for (const finding of findings.values()) {
        const [ownConnection, path] = finding.place.split(':');
        if (Number(ownConnection) !== connection || !isAlive()) continue;
        await renew();
        const again = fc.asyncProperty(generated, async (input) => {
          const request = requestOf(input);
          actor.noteSent(request);
          const fault = faultIn(request, await exchange(base, agent, request, timeoutMs));
          if (fault?.kind !== finding.fault.kind) return;
          finding.smallest = { input, request, fault };
          throw new Error(fault.text);
        });
        await fc.check(again, { ...check, numRuns: 1, path: String(path), interruptAfterTimeLimit: shrinkMs });
      }
      agent.destroy();
    }),
  );
  if (isAlive()) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const dear = await suspects.replay((request) => exchange(base, agent, request, timeoutMs));
    for (const { fault, suspect } of dear) note(findings, { fault, ...suspect });
    agent.destroy();
  }
  return {
    replayed: suspects.count(),
    inputs: done,
    milliseconds: performance.now() - startedAt,
    statuses,
    slowestMs,
    findings: [...findings.values()],
  };
}

/** Faults of one kind at one place are one finding. */
function note(findings: Map<string, Finding>, found: Omit<Finding, 'times' | 'smallest' | 'at'>): void {
  const { fault, input } = found;
  const at = input.api === 'rest' ? `${input.method} ${input.path}` : `graphql ${rootFieldOf(input)}`;
  const isOfTheEntryPoint = fault.kind === 'not JSON' || fault.kind === 'no answer';
  const key = `${fault.kind} ${isOfTheEntryPoint ? input.api : at} ${fault.text.slice(0, 60)}`;
  const known = findings.get(key);
  if (known) known.times += 1;
  else findings.set(key, { ...found, at, times: 1, smallest: null });
}

function rootFieldOf({ document }: GraphqlInput): string {
  if ('text' in document) return '(a document of its own)';
  const [first] = document.selections;
  return first && 'field' in first ? first.field : '';
}
