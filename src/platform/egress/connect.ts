import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import type { Logger } from '../logger.ts';
import { isPublicAddress } from './addresses.ts';
import { type Allowances, isInAllowedRange } from './allowances.ts';
import { EgressError } from './egress-error.ts';
import type { Resolve } from './resolve.ts';
import type { Destination } from './urls.ts';

/**
 * Addresses of each family that are tried: otherwise a response with hundreds of addresses would cause hundreds of
 * connections.
 */
const addressesTriedMax = 3;

/**
 * Opens one connection.
 *
 * @returns A socket whose address was validated, after the TLS handshake.
 * @throws {EgressError} `forbidden`, `unresolved`, `unreachable` or `tls`; `aborted` by the signal.
 */
export type Connect = (destination: Destination, signal: AbortSignal) => Promise<Socket>;

/**
 * Validation and connection are one step: the socket gets the validated addresses and resolves nothing itself. So a DNS
 * answer that changes between two lookups (rebinding) has no effect, and no answer outlives its connection.
 */
export function createConnect(options: {
  allow: Allowances;
  resolve: Resolve;
  resolveAllowed: Resolve;
  log: Logger | undefined;
}): Connect {
  const { allow, resolve, resolveAllowed, log } = options;

  /** Every address that a name has, or an error when a single one of them is not public. */
  async function validatedAddresses({ host, port, isAllowed }: Destination): Promise<readonly string[]> {
    const isGood = (address: string) => isAllowed || isPublicAddress(address) || isInAllowedRange(allow, address, port);
    // undici and net do not look up literal addresses: they are validated here, on the only way to a socket.
    const addresses =
      isIP(host) === 0
        ? await (isAllowed ? resolveAllowed : resolve)(host).catch(() => {
            throw new EgressError('unresolved');
          })
        : [host];
    if (addresses.length === 0) throw new EgressError('unresolved');
    if (addresses.every(isGood)) return addresses;
    log?.warn({ host, addresses }, 'a name has an address that is not public; nothing was sent');
    throw new EgressError('forbidden');
  }

  return async function connect(destination, signal) {
    const addresses = await validatedAddresses(destination);
    if (signal.aborted) throw new EgressError('aborted');
    const tried = [4, 6].flatMap((family) =>
      addresses.filter((address) => isIP(address) === family).slice(0, addressesTriedMax),
    );
    return open(destination, tried, signal);
  };
}

function open({ isTls, host, port }: Destination, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, _options, done) => done(null, answer);
  // With autoSelectFamily net tries them in turn, and always asks `lookup` for all of them.
  const target = { host, port, lookup, noDelay: true, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 500 };
  return new Promise((resolve, reject) => {
    const socket = isTls
      ? openTls({
          ...target,
          // An address has no server name; net compares the certificate with `host` then.
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ALPNProtocols: ['http/1.1'],
          minVersion: 'TLSv1.2',
          // Said aloud: NODE_TLS_REJECT_UNAUTHORIZED in the environment must not turn it off.
          rejectUnauthorized: true,
        })
      : openTcp(target);
    const failed = () => {
      signal.removeEventListener('abort', aborted);
      socket.destroy();
      reject(new EgressError(hasConnected ? 'tls' : 'unreachable'));
    };
    const aborted = () => {
      socket.destroy();
      reject(new EgressError('aborted'));
    };
    let hasConnected = false;
    signal.addEventListener('abort', aborted, { once: true });
    socket.once('connect', () => {
      hasConnected = true;
    });
    socket.on('error', failed).on('close', failed);
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', aborted);
      socket.off('error', failed).off('close', failed);
      // Between here and undici's own listeners is a microtask or two, in which nothing is read; an error would be thrown.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
