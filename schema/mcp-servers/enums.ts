import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';

export const McpTransport = enumOf('McpTransport', 'Transport of an MCP server.', {
  stdio: 'A command that a client runs. The platform never runs it.',
  sse: 'Over HTTP with server-sent events, as before the protocol of 2025-03-26.',
  http: 'Over streamable HTTP.',
});

export const McpPackageType = enumOf('McpPackageType', 'Package registry of a server.', {
  npm: 'The npm registry.',
  docker: 'A registry of container images.',
  pypi: 'The Python Package Index.',
});

export const McpServerSource = enumOf('McpServerSource', 'Origin of a server.', {
  registry: 'An accepted submission to the registry.',
  community: 'A user of the platform added it.',
});

export const McpCapabilityKind = enumOf('McpCapabilityKind', 'Kind of capability of a server.', {
  tool: 'A tool.',
  resource: 'A resource.',
  resource_template: 'A resource template.',
  prompt: 'A prompt.',
});

export const McpDiscoveryStatus = enumOf('McpDiscoveryStatus', 'Status of the latest capability discovery.', {
  never: 'No discovery has run. Clients report the capabilities of STDIO servers.',
  queued: 'The discovery is queued.',
  running: 'The discovery is running.',
  succeeded: 'The discovery succeeded.',
  failed: 'The discovery failed; the capabilities of the last successful one are still shown.',
  needs_authorization: 'The server requires authorization, and the platform has no valid token: authorize it (again).',
});

export const McpDiscoveryStage = builder.enumType('McpDiscoveryStage', {
  description: 'Stage of a discovery.',
  values: {
    QUEUED: { value: 'queued', description: 'The discovery waits for a worker.' },
    CONNECTING: { value: 'connecting', description: 'The platform connects to the server.' },
    TOOLS: { value: 'tool', description: 'The tools are being listed.' },
    RESOURCES: { value: 'resource', description: 'The resources are being listed.' },
    RESOURCE_TEMPLATES: { value: 'resource_template', description: 'The resource templates are being listed.' },
    PROMPTS: { value: 'prompt', description: 'The prompts are being listed.' },
    SUCCEEDED: { value: 'succeeded', description: 'The capabilities of the server are stored.' },
    FAILED: { value: 'failed', description: 'The discovery failed.' },
    NEEDS_AUTHORIZATION: { value: 'needs_authorization', description: 'The server requires authorization.' },
  } as const,
});

export const McpToolChangeKind = enumOf('McpToolChangeKind', 'Kind of a change of a tool.', {
  added: 'The tool is new.',
  removed: 'The object was removed.',
  changed: 'The definition changed; the tool may behave differently.',
});

export const McpActivityAction = enumOf('McpActivityAction', 'Kind of activity of a client.', {
  tool_call: 'A tool was called.',
  prompt_get: 'A prompt was read.',
  resource_read: 'A resource was read.',
  install: 'The server was installed.',
  uninstall: 'The server was uninstalled.',
});
