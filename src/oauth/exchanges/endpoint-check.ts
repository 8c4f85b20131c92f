import { noAllowances } from '../../platform/egress/allowances.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { createUrlValidator } from '../../platform/egress/urls.ts';

/** Whether a value is a URL that a request may be sent to, or a browser be sent to. */
export type IsEndpoint = (value: unknown) => value is string;

/**
 * https, and a host that the egress lets through. http only to a host that is not public and that EGRESS_ALLOW opens, so never in
 * production: a token in clear text would be everybody's.
 *
 * @see RFC 8414, 2; RFC 9728, 2; OAuth 2.1, 1.5
 */
export function createEndpointCheck(egress: Pick<Egress, 'validateUrl'>): IsEndpoint {
  const validatePublic = createUrlValidator({ isProduction: false, allow: noAllowances });
  return (value): value is string => {
    if (typeof value !== 'string') return false;
    const { url } = egress.validateUrl(value);
    if (!url) return false;
    return url.protocol === 'https:' || validatePublic(value).mistake !== undefined;
  };
}
