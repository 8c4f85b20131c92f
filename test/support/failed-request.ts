import { inspect } from 'node:util';
import { EgressError } from '../../src/platform/egress/egress-error.ts';

/** How a request fails; an answer fails the test. */
export async function failureOf(request: Promise<unknown>): Promise<EgressError> {
  const outcome = await request.catch((error: unknown) => error);
  if (!(outcome instanceof EgressError)) throw new Error(`not a failure of egress: ${inspect(outcome)}`);
  return outcome;
}
