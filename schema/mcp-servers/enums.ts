import { builder } from '../builder.ts';

export const McpTransport = builder.enumType('McpTransport', {
  description: 'How an MCP server is used.',
  values: {
    STDIO: { value: 'stdio', description: 'It is a command that a client starts. The platform never does.' },
    SSE: { value: 'sse', description: 'Over HTTP with server-sent events, as before the protocol of 2025-03-26.' },
    HTTP: { value: 'http', description: 'Over streamable HTTP.' },
  } as const,
});

export const McpPackageType = builder.enumType('McpPackageType', {
  description: 'Where a server is packaged.',
  values: {
    NPM: { value: 'npm', description: 'The npm registry.' },
    DOCKER: { value: 'docker', description: 'A registry of container images.' },
    PYPI: { value: 'pypi', description: 'The Python Package Index.' },
  } as const,
});

export const McpServerSource = builder.enumType('McpServerSource', {
  description: 'Where the platform knows a server from.',
  values: {
    REGISTRY: { value: 'registry', description: 'It was submitted to the registry, and accepted.' },
    COMMUNITY: { value: 'community', description: 'A user of the platform added it.' },
  } as const,
});

export const McpCapabilityKind = builder.enumType('McpCapabilityKind', {
  description: 'What a server can offer.',
  values: {
    TOOL: { value: 'tool', description: 'A tool that can be called.' },
    RESOURCE: { value: 'resource', description: 'A resource that can be read.' },
    RESOURCE_TEMPLATE: { value: 'resource_template', description: 'A template of resources.' },
    PROMPT: { value: 'prompt', description: 'A prompt that can be got.' },
  } as const,
});

export const McpDiscoveryStatus = builder.enumType('McpDiscoveryStatus', {
  description: 'How it stands with asking a server what it offers.',
  values: {
    NEVER: { value: 'never', description: 'It has not been asked; a STDIO server is reported by a client.' },
    QUEUED: { value: 'queued', description: 'It will be asked.' },
    RUNNING: { value: 'running', description: 'It is being asked.' },
    SUCCEEDED: { value: 'succeeded', description: 'It has told.' },
    FAILED: { value: 'failed', description: 'It has not told; what it told before is still shown.' },
  } as const,
});

export const McpDiscoveryStage = builder.enumType('McpDiscoveryStage', {
  description: 'How far a discovery is.',
  values: {
    QUEUED: { value: 'queued', description: 'It waits for a worker.' },
    CONNECTING: { value: 'connecting', description: 'The platform connects to the server.' },
    TOOLS: { value: 'tool', description: 'It asks for the tools.' },
    RESOURCES: { value: 'resource', description: 'It asks for the resources.' },
    RESOURCE_TEMPLATES: { value: 'resource_template', description: 'It asks for the templates of resources.' },
    PROMPTS: { value: 'prompt', description: 'It asks for the prompts.' },
    SUCCEEDED: { value: 'succeeded', description: 'What the server offers is stored.' },
    FAILED: { value: 'failed', description: 'The server could not be asked.' },
  } as const,
});

export const McpToolChangeKind = builder.enumType('McpToolChangeKind', {
  description: 'In what way a tool is another.',
  values: {
    ADDED: { value: 'added', description: 'It was not there before.' },
    REMOVED: { value: 'removed', description: 'It is gone.' },
    CHANGED: { value: 'changed', description: 'Its definition is another: it may do something else now.' },
  } as const,
});

export const McpActivityAction = builder.enumType('McpActivityAction', {
  description: 'What a client did with a server.',
  values: {
    TOOL_CALL: { value: 'tool_call', description: 'It called a tool.' },
    PROMPT_GET: { value: 'prompt_get', description: 'It got a prompt.' },
    RESOURCE_READ: { value: 'resource_read', description: 'It read a resource.' },
    INSTALL: { value: 'install', description: 'It installed the server for you.' },
    UNINSTALL: { value: 'uninstall', description: 'It removed the server for you.' },
  } as const,
});
