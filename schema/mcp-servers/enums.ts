import { builder } from '../builder.ts';

export const McpTransport = builder.enumType('McpTransport', {
  description: 'Transport of an MCP server.',
  values: {
    STDIO: { value: 'stdio', description: 'A command that a client runs. The platform never runs it.' },
    SSE: { value: 'sse', description: 'Over HTTP with server-sent events, as before the protocol of 2025-03-26.' },
    HTTP: { value: 'http', description: 'Over streamable HTTP.' },
  } as const,
});

export const McpPackageType = builder.enumType('McpPackageType', {
  description: 'Package registry of a server.',
  values: {
    NPM: { value: 'npm', description: 'The npm registry.' },
    DOCKER: { value: 'docker', description: 'A registry of container images.' },
    PYPI: { value: 'pypi', description: 'The Python Package Index.' },
  } as const,
});

export const McpServerSource = builder.enumType('McpServerSource', {
  description: 'Origin of a server.',
  values: {
    REGISTRY: { value: 'registry', description: 'An accepted submission to the registry.' },
    COMMUNITY: { value: 'community', description: 'A user of the platform added it.' },
  } as const,
});

export const McpCapabilityKind = builder.enumType('McpCapabilityKind', {
  description: 'Kind of capability of a server.',
  values: {
    TOOL: { value: 'tool', description: 'A tool.' },
    RESOURCE: { value: 'resource', description: 'A resource.' },
    RESOURCE_TEMPLATE: { value: 'resource_template', description: 'A resource template.' },
    PROMPT: { value: 'prompt', description: 'A prompt.' },
  } as const,
});

export const McpDiscoveryStatus = builder.enumType('McpDiscoveryStatus', {
  description: 'Status of the latest capability discovery.',
  values: {
    NEVER: { value: 'never', description: 'No discovery has run. Clients report the capabilities of STDIO servers.' },
    QUEUED: { value: 'queued', description: 'The discovery is queued.' },
    RUNNING: { value: 'running', description: 'The discovery is running.' },
    SUCCEEDED: { value: 'succeeded', description: 'The discovery succeeded.' },
    FAILED: {
      value: 'failed',
      description: 'The discovery failed; the capabilities of the last successful one are still shown.',
    },
    NEEDS_AUTHORIZATION: {
      value: 'needs_authorization',
      description: 'The server asks for authorization, and there is no token that it accepts: authorize it (again).',
    },
  } as const,
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
    NEEDS_AUTHORIZATION: { value: 'needs_authorization', description: 'The server asks for authorization.' },
  } as const,
});

export const McpToolChangeKind = builder.enumType('McpToolChangeKind', {
  description: 'Kind of a change of a tool.',
  values: {
    ADDED: { value: 'added', description: 'The tool is new.' },
    REMOVED: { value: 'removed', description: 'The object was removed.' },
    CHANGED: { value: 'changed', description: 'The definition changed; the tool may behave differently.' },
  } as const,
});

export const McpActivityAction = builder.enumType('McpActivityAction', {
  description: 'Kind of activity of a client.',
  values: {
    TOOL_CALL: { value: 'tool_call', description: 'A tool was called.' },
    PROMPT_GET: { value: 'prompt_get', description: 'A prompt was read.' },
    RESOURCE_READ: { value: 'resource_read', description: 'A resource was read.' },
    INSTALL: { value: 'install', description: 'The server was installed.' },
    UNINSTALL: { value: 'uninstall', description: 'The server was uninstalled.' },
  } as const,
});
