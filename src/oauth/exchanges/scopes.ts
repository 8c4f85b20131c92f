/** More than a real server lists; a browser refuses much longer URLs. */
const scopesMax = 500;
const lengthMax = 8_192;
const offline = 'offline_access';

/** @see RFC 6749, 3.3 */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * The scopes of a parameter `scope`, each once.
 *
 * @returns Null where it is missing, empty or not valid.
 * @see RFC 6749, 3.3
 */
export function scopesOf(value: unknown): readonly string[] | null {
  if (typeof value !== 'string' || value.length > lengthMax) return null;
  return validScopes(value.split(' ').filter((scope) => scope !== ''));
}

/** A list of scopes as metadata holds it, each once; null where it is missing, empty or not valid. */
export function validScopes(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > scopesMax) return null;
  if (!value.every((scope) => typeof scope === 'string' && scopeToken.test(scope))) return null;
  return value.join(' ').length > lengthMax ? null : [...new Set<string>(value)];
}

/**
 * The scopes to ask for: those that the caller names, else those of the discovery, and always those granted before. `offline_access`
 * is asked for where the authorization server lists it, and nowhere else; where nothing is asked for it stays out, because it alone
 * would narrow what the server grants by itself.
 *
 * @returns Empty where the parameter is to be left out.
 * @see MCP, Authorization: Scope Selection Strategy; OpenID Connect Core 1.0, 11
 */
export function scopesToAskFor(choice: {
  readonly named: readonly string[] | null;
  readonly discovered: readonly string[] | null;
  readonly granted: readonly string[];
  readonly supported: readonly string[] | undefined;
}): readonly string[] {
  const { named, discovered, granted, supported } = choice;
  const scopes = new Set([...granted, ...(named ?? discovered ?? [])]);
  scopes.delete(offline);
  if (scopes.size > 0 && supported?.includes(offline)) scopes.add(offline);
  return [...scopes];
}

/** Whether a refresh token is asked for by scope, so that the consent has to be shown. @see OpenID Connect Core 1.0, 11 */
export const asksForOfflineAccess = (scopes: readonly string[]): boolean => scopes.includes(offline);
