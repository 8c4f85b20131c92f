import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Of IPv6 only this part was ever given out for the public (RFC 4291, section 2.4; IANA's registry of address space).
 * Everything that hides an IPv4 address outside of it is refused with it: IPv4-compatible (`::127.0.0.1`, which ipaddr.js
 * calls unicast), mapped (`::ffff:`), translated (`::ffff:0:`), NAT64 (`64:ff9b::/96`, `64:ff9b:1::/48`), site-local.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's metadata and key service: written like a public address, and reached from inside of its machines alone. */
const azureWireServer = ipaddr.IPv4.parseCIDR('168.63.129.16/32');

/**
 * Whether an address belongs to the public internet. 6to4 (2002::/16), Teredo (2001::/32) and the rest of 2001::/23 are
 * refused whatever they embed, and so are all of IANA's special-purpose ranges: documentation, benchmarks, shared,
 * reserved, multicast, broadcast.
 *
 * @param address IPv4 with four decimal parts, or IPv6 without brackets. Other text is not public.
 * @see RFC 6890 and IANA's special-purpose address registries
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv4') return !(parsed as ipaddr.IPv4).match(azureWireServer);
  const v6 = parsed as ipaddr.IPv6;
  return v6.match(globalUnicast) && !isIsatap(v6);
}

/** ISATAP puts an IPv4 address behind the interface id `[02]00:5efe` of any prefix (RFC 5214, section 6.1). */
const isIsatap = ({ parts }: ipaddr.IPv6) => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
