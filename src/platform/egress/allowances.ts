import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that the guard allows although they are not public: for tests and development. */
export interface Allowances {
  /** `host:port`, as a URL writes them: lower case, IPv6 in brackets. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly AllowedRange[];
}

interface AllowedRange {
  readonly cidr: [ipaddr.IPv4 | ipaddr.IPv6, number];
  /** Left out: every port that is open anyway. */
  readonly port: number | undefined;
}

export const noAllowances: Allowances = { hosts: new Set(), ranges: [] };

/**
 * Reads a comma list of `host:port`, CIDR and `CIDR:port` (`[CIDR]:port` for IPv6).
 *
 * @returns Undefined when an entry is none of these.
 */
export function allowancesOf(text: string): Allowances | undefined {
  const hosts = new Set<string>();
  const ranges: AllowedRange[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    const range = rangeOf(entry);
    const host = range ? undefined : hostOf(entry);
    if (range) ranges.push(range);
    else if (host) hosts.add(host);
    else return undefined;
  }
  return { hosts, ranges };
}

/** Whether an address may be reached at a port because of a range. */
export function isInAllowedRange({ ranges }: Allowances, address: string, port: number): boolean {
  if (ranges.length === 0 || isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return ranges.some(
    ({ cidr, port: only }) =>
      (only === undefined || only === port) && parsed.kind() === cidr[0].kind() && parsed.match(cidr),
  );
}

/** Whether a range opens this very port of an address. */
export const isAllowedPort = (allowances: Allowances, address: string, port: number): boolean =>
  isInAllowedRange({ ...allowances, ranges: allowances.ranges.filter((range) => range.port === port) }, address, port);

function rangeOf(entry: string): AllowedRange | undefined {
  const parts =
    /^(?<address>[\d.]+)\/(?<bits>\d{1,2})(?::(?<port>\d{1,5}))?$/.exec(entry) ??
    /^(?<address>[\da-f:.]+)\/(?<bits>\d{1,3})$/i.exec(entry) ??
    /^\[(?<address>[\da-f:.]+)\/(?<bits>\d{1,3})\]:(?<port>\d{1,5})$/i.exec(entry);
  const { address = '', bits, port } = parts?.groups ?? {};
  const family = isIP(address);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128) || (port !== undefined && !isPort(port)))
    return undefined;
  return { cidr: [ipaddr.parse(address), Number(bits)], port: port === undefined ? undefined : Number(port) };
}

function hostOf(entry: string): string | undefined {
  const [, host, port = ''] = /^(\[[\da-f:.]+\]|[^\s:/@?#%\\[\]]+):(\d{1,5})$/i.exec(entry) ?? [];
  if (!host || !isPort(port) || !URL.canParse(`http://${host}`)) return undefined;
  return `${new URL(`http://${host}`).hostname}:${Number(port)}`;
}

const isPort = (text: string) => Number(text) >= 1 && Number(text) <= 65_535;
