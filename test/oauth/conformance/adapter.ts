/**
 * What the MCP conformance suite calls for each scenario: `node test/oauth/conformance/adapter.ts <url of a server>`. What a scenario
 * gives its client is in the environment.
 *
 *     conformance client --command "node test/oauth/conformance/adapter.ts" --requirements 2026-07-28
 *
 * Where ADAPTER_SOCKET names a socket, the scenario is handed to the process behind it: 40 processes that load all modules take longer
 * than all their scenarios.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const {
  MCP_CONFORMANCE_SCENARIO: name = '',
  MCP_CONFORMANCE_PROTOCOL_VERSION: version = '2025-11-25',
  MCP_CONFORMANCE_CONTEXT: context = '{}',
} = process.env;
const scenario = { name, url: process.argv[2] as string, version, context: JSON.parse(context) };

if (process.env.ADAPTER_SOCKET) {
  const socket = connect(process.env.ADAPTER_SOCKET);
  socket.end(JSON.stringify(scenario));
  const failure = await text(socket);
  process.stderr.write(failure);
  process.exitCode = failure === '' ? 0 : 1;
} else {
  const { runClient } = await import('./client.ts');
  await runClient(scenario);
  process.exit();
}
