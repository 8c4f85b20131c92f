import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { schema } from '../../../schema/index.ts';
import { anonymous, type Caller } from '../../platform/caller.ts';
import { ApiError, isApiError } from '../../platform/errors.ts';
import { spenderOf } from '../../platform/limits/rate-limits.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { publicError, withoutHttp } from '../graphql/errors.ts';
import type { Graphql } from '../graphql/graphql.ts';
import type { LiveCredentials } from '../graphql/live-credentials.ts';
import type { Variables } from '../graphql/operation-cost.ts';
import { invalidOperation, type Operation } from '../graphql/operations.ts';
import { isPersistedQuery, persistedQueryNotSupported } from '../graphql/persisted-queries.ts';
import type { OperationContext } from '../graphql/run-operation.ts';
import { headerValues, type Identify } from '../http/identify.ts';
import { refuseConnection } from '../http/refused-connection.ts';
import { requestIdOf } from '../http/requests.ts';
import { closing } from './socket-closing.ts';
import { type Connection, carry } from './socket-connection.ts';
import { createCallerSlots, type SocketLimits, socketLimits } from './socket-limits.ts';
import type { MessageDependencies } from './socket-messages.ts';

export interface SocketDependencies extends Omit<MessageDependencies, 'limits'> {
  readonly graphql: Graphql;
  readonly identify: Pick<Identify, 'identifySocket' | 'addressOf'>;
  readonly liveCredentials: LiveCredentials;
  readonly metrics: Pick<Metrics, 'liveConnections'>;
  readonly log: Logger;
  readonly limits?: SocketLimits;
}

/**
 * The graph over graphql-ws at /graphql. A connection says who it is in `connection_init` (`{"Authorization": "Bearer …"}`)
 * or by the cookie; it is closed with 4403 when that does not hold, then or later.
 *
 * @returns Closes all connections with 1001 and refuses new ones.
 */
export function serveSockets(
  server: Server,
  { limits = socketLimits, ...deps }: SocketDependencies,
): () => Promise<void> {
  const { graphql, identify, liveCredentials, metrics, log } = deps;
  // A variable, because the published types do not know `closeTimeout` yet.
  const options = {
    noServer: true,
    maxPayload: limits.frameBytes,
    maxBufferedChunks: limits.frameChunks,
    closeTimeout: limits.lingerMs,
    handleProtocols,
  };
  const sockets = new WebSocketServer(options);
  const unauthenticated = createCallerSlots<object>(limits.unauthenticatedPerAddress);
  const acquainted = createCallerSlots<WebSocket>(limits.socketsPerCaller);
  // Who a socket counts for: as with rates, a key, else a user, else an address.
  const whoIs = (caller: Caller) => spenderOf('general', caller);

  server.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    if (headerValues(request, 'host').length > 1) return refuseHosts(wire);
    const leave = unauthenticated.take(whoIs(anonymous(identify.addressOf(request))), request);
    if (leave === null) return refuseUpgrade(wire);
    // An upgrade that fails never opens; one that succeeds ends its connection with the same event.
    wire.once('close', leave);
    sockets.handleUpgrade(request, wire, head, (client) => open(client, request, leave));
  });

  function open(client: WebSocket, request: IncomingMessage, leave: () => void): void {
    const connection: Connection = {
      request,
      client,
      address: identify.addressOf(request),
      caller: null,
      running: 0,
      messageBytes: 0,
      streams: new Set(),
      undo: [leave],
    };
    metrics.liveConnections.inc({ kind: 'socket' });
    connection.undo.push(() => metrics.liveConnections.dec({ kind: 'socket' }));
    const relatives = () => (connection.caller ? acquainted.of(whoIs(connection.caller)) : [client]);
    const closed = protocol.opened(carry(connection, { ...deps, limits, relatives }), connection);
    client.once('close', (code, reason) => {
      for (const undo of connection.undo.splice(0)) undo();
      for (const stream of connection.streams) void stream.return(undefined).catch(() => undefined);
      closed(code, String(reason)).catch((error) => log.error({ error }, 'the end of a socket failed'));
    });
  }

  /**
   * Takes a slot for a caller, and ends the connection with the credential. @returns False if all of its slots are
   * taken.
   */
  function admit(connection: Connection, caller: Caller & { principal: object }): boolean {
    const { client, undo } = connection;
    const leave = acquainted.take(whoIs(caller), client);
    if (leave === null) return false;
    undo.shift()?.();
    undo.push(
      leave,
      liveCredentials.watch(caller.principal, () => client.close(CloseCode.Forbidden, 'Forbidden')),
    );
    connection.caller = caller;
    return true;
  }

  const socketError = (error: unknown, requestId: string): GraphQLError =>
    withoutHttp(publicError(error, log, requestId));

  const run = (args: ExecutionArgs) => {
    const { operation, variableValues, contextValue } = args as unknown as SelectedOperation;
    return graphql.run(operation, variableValues, contextValue);
  };

  /** Its payload would be sent back. */
  const refuseLargePing = ({ extra: { client, messageBytes } }: { extra: Connection }) => {
    if (messageBytes > limits.pingBytes)
      client.close(CloseCode.BadRequest, `A ping or pong has at most ${limits.pingBytes} bytes`);
  };

  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: limits.initTimeoutMs,
    async onConnect({ connectionParams, extra }) {
      const { client, request } = extra;
      try {
        const { principal, address } = await identify.identifySocket(request, connectionParams);
        // Who went while we looked has nothing that its end would undo.
        if (principal === null || client.readyState !== client.OPEN) return false;
        if (!admit(extra, { principal, address })) client.close(4429, 'Too many sockets');
        return extra.caller !== null;
      } catch (error) {
        if (!isApiError(error)) throw error;
        if (error.code === 'RATE_LIMITED') client.close(4429, error.message);
        // A client tries again after this code, and after no other of these.
        if (error.code === 'UNAVAILABLE') client.close(closing.tryAgainLater, error.message);
        return false;
      }
    },
    onPing: refuseLargePing,
    onPong: refuseLargePing,
    async onSubscribe({ extra }, id, params) {
      if (id.length > limits.idCharacters) {
        extra.client.close(CloseCode.BadRequest, `An id has at most ${limits.idCharacters} characters`);
        return [];
      }
      const requestId = requestIdOf(extra.request);
      const publicErrors = (errors: readonly unknown[]) => errors.map((error) => socketError(error, requestId));
      if (extra.running > limits.operationsPerSocket) return publicErrors([tooManyOperations(limits)]);
      const { query, variables, operationName } = params;
      const request = { query, variables: variables ?? {}, operationName: operationName ?? null };
      const contextValue = graphql.contextOf({ caller: extra.caller as Caller, requestId, res: null });
      try {
        if (isPersistedQuery(params)) {
          await graphql.spend(invalidOperation, contextValue);
          return [persistedQueryNotSupported()];
        }
        const { operation, errors } = await graphql.select(request, contextValue);
        if (operation === null) return publicErrors(errors);
        return {
          schema,
          document: operation.document,
          contextValue,
          operation,
          variableValues: request.variables,
          operationName: request.operationName,
        };
      } catch (error) {
        return publicErrors([error]);
      }
    },
    execute: run,
    subscribe: run,
    onOperation({ extra }, _id, _payload, _args, result) {
      if (Symbol.asyncIterator in result) return kept(result as AsyncGenerator<ExecutionResult>, extra);
      return undefined;
    },
    onNext({ extra }, _id, _payload, _args, result) {
      if (!result.errors) return undefined;
      const requestId = requestIdOf(extra.request);
      return { ...result, errors: result.errors.map((error) => socketError(error, requestId)) };
    },
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) => socketError(error, requestIdOf(extra.request))),
  });

  return async () => {
    for (const client of sockets.clients) client.close(closing.goingAway, 'Going away');
    await new Promise<void>((resolve) => sockets.close(() => resolve()));
  };
}

/** Cheaper than a socket that is opened in order to be closed; and a client tries again after it. */
function refuseUpgrade(wire: Duplex): void {
  wire.on('error', () => wire.destroy());
  wire.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n');
}

/** As over HTTP. Source: RFC 9112, 3.2. */
function refuseHosts(wire: Duplex): void {
  wire.on('error', () => wire.destroy());
  refuseConnection(wire, '400 Bad Request');
}

const tooManyOperations = ({ operationsPerSocket }: SocketLimits) =>
  new ApiError('RATE_LIMITED', `A socket runs at most ${operationsPerSocket} operations at a time`);

/**
 * Remembers a stream until it is over. graphql-ws knows streams by the ids of their operations, and forgets one when its id
 * is completed and taken again before it has begun.
 */
function kept<Result>(stream: AsyncGenerator<Result>, { streams }: Connection): AsyncGenerator<Result> {
  streams.add(stream);
  const next = async () => {
    const result = await stream.next();
    if (result.done) streams.delete(stream);
    return result;
  };
  const end = async (value: unknown) => {
    streams.delete(stream);
    return stream.return(value);
  };
  return { ...stream, next, return: end };
}

/** What `onSubscribe` hands to `execute` and `subscribe`. */
interface SelectedOperation {
  readonly operation: Operation;
  readonly variableValues: Variables;
  readonly contextValue: OperationContext;
}
