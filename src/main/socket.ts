import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Context } from '../../schema/context.ts';
import type { Caller } from '../platform/caller.ts';
import { isRefusal } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { publicError } from './errors.ts';
import type { Graphql } from './graphql.ts';
import type { Identify } from './identify.ts';
import type { LiveCredentials } from './live-credentials.ts';
import { requestIdOf } from './requests.ts';

export interface SocketDependencies {
  readonly graphql: Graphql;
  readonly identify: Identify;
  readonly liveCredentials: LiveCredentials;
  readonly log: Logger;
}

/** What is kept of a connection between `connection_init` and its end. */
type Connection = Partial<{ caller: Caller; unwatch: () => void }>;

/** A frame holds one operation with its variables: a value of 2 MB fits, written with escapes. */
const frameBytesMax = 13_500_000;
const initTimeoutMs = 5_000;

/**
 * The graph over graphql-ws at /graphql. A connection says who it is in `connection_init` (`{"Authorization": "Bearer …"}`)
 * or by the cookie; it is closed with 4403 when that does not hold, then or later.
 *
 * @returns Closes all connections with 1001 and refuses new ones.
 */
export function serveSockets(
  server: Server,
  { graphql, identify, liveCredentials, log }: SocketDependencies,
): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: frameBytesMax });
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (req.url?.split('?')[0] !== '/graphql') {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(req, socket, head, (client) => sockets.emit('connection', client, req));
  });

  /** What HTTP makes of an error is nothing to a socket. */
  const socketError = (error: unknown, requestId: string): GraphQLError => {
    const shown = publicError(error, log, requestId);
    const { http: _, ...extensions } = shown.extensions;
    return new GraphQLError(shown.message, { nodes: shown.nodes, path: shown.path, extensions });
  };

  const disposable = useServer<Record<string, unknown>, Connection>(
    {
      connectionInitWaitTimeout: initTimeoutMs,
      async onConnect({ connectionParams, extra }) {
        try {
          const caller = await identify.identifySocket(extra.request, connectionParams);
          if (caller.principal === null) return false;
          extra.caller = caller;
          extra.unwatch = liveCredentials.watch(caller.principal, () =>
            extra.socket.close(CloseCode.Forbidden, 'Forbidden'),
          );
          return true;
        } catch (error) {
          if (isRefusal(error) && error.code === 'RATE_LIMITED') extra.socket.close(4429, error.message);
          if (isRefusal(error) && error.code !== 'UNAVAILABLE') return false;
          throw publicError(error, log, requestIdOf(extra.request));
        }
      },
      onDisconnect: ({ extra }) => extra.unwatch?.(),
      async onSubscribe({ extra }, _id, params) {
        const requestId = requestIdOf(extra.request);
        const context = graphql.contextOf(extra.caller as Caller, requestId, null);
        const { schema, parse, validate, execute, subscribe, contextFactory } = graphql.yoga.getEnveloped({
          params,
          ...context,
        });
        const publicErrors = (errors: readonly unknown[]) => errors.map((error) => socketError(error, requestId));
        let document: ReturnType<typeof parse>;
        try {
          document = parse(params.query);
        } catch (error) {
          return publicErrors([error]);
        }
        const errors: readonly GraphQLError[] = validate(schema, document);
        if (errors.length > 0) return publicErrors(errors);
        const contextValue: Context = { ...context, ...(await contextFactory()) };
        return {
          schema,
          document,
          contextValue,
          variableValues: params.variables,
          operationName: params.operationName,
          execute,
          subscribe,
        };
      },
      execute: (args) => (args as unknown as Operation).execute(args),
      subscribe: (args) => (args as unknown as Operation).subscribe(args),
      onNext({ extra }, _id, _payload, _args, result) {
        if (!result.errors) return undefined;
        const requestId = requestIdOf((extra as Extra).request);
        return { ...result, errors: result.errors.map((error) => socketError(error, requestId)) };
      },
      onError: ({ extra }, _id, _payload, errors) =>
        errors.map((error) => socketError(error, requestIdOf(extra.request))),
    },
    sockets,
  );

  return async () => {
    // `dispose` closes each connection with 1001, "going away".
    await disposable.dispose();
  };
}

interface Operation {
  execute(args: unknown): never;
  subscribe(args: unknown): never;
}
