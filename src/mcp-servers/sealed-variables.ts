import { invalid, mask } from '../platform/input/input.ts';
import type { Secrets } from '../platform/security/secrets.ts';

type Variables = Record<string, string>;

/** The two places of a server where secrets lie. */
type Place = 'env' | 'headers';

/** The context of the encryption of a place's secrets. */
export const variableContext = (uuid: string, place: Place): string => `mcp-server ${uuid} ${place}`;

/** Values that are secret, as they lie in the database, with their names, which are none. */
export interface SealedVariables {
  /** Null where there are none. */
  readonly sealed: string | null;
  readonly names: string[];
}

/** Environments and headers at rest, each bound to its server and place. Source: docs/specification/mcp-servers.md#secrets. */
export function createVariableSeals({ secrets }: { secrets: Secrets }) {
  function open(uuid: string, place: Place, sealed: string | null): Variables {
    return sealed === null ? {} : (JSON.parse(secrets.open(sealed, variableContext(uuid, place))) as Variables);
  }

  /**
   * @param before The stored values. A value that comes back masked keeps the stored one.
   * @throws {ApiError} `VALIDATION_ERROR` for a masked value without a stored one.
   */
  function seal(uuid: string, place: Place, variables: Variables, before: string | null): SealedVariables {
    const names = Object.keys(variables);
    if (names.length === 0) return { sealed: null, names };
    const isBack = Object.values(variables).includes(mask);
    const known = isBack ? open(uuid, place, before) : {};
    const entries = Object.entries(variables).map(([name, value]) => {
      if (value !== mask) return [name, value];
      if (!Object.hasOwn(known, name))
        throw invalid({ [place]: `${place} is masked, but has no stored value to keep` });
      return [name, known[name]];
    });
    return { sealed: secrets.seal(JSON.stringify(Object.fromEntries(entries)), variableContext(uuid, place)), names };
  }

  return { open, seal };
}
