import { createEndpointModels, type Models, noModels } from '../chat/index.ts';
import type { Config } from '../platform/config.ts';
import { createEgress } from '../platform/egress/egress.ts';
import type { Logger } from '../platform/logger.ts';

/**
 * The configured language models. Their endpoint is the operator's choice, and often on a private network, so it has a
 * separate HTTP client that reaches nothing else.
 */
export function openChatModels(options: { config: Config; log: Logger; isInTransaction: () => boolean }): {
  models: Models;
  close(): void;
} {
  const { config, log, isInTransaction } = options;
  const { CHAT_BASE_URL: baseUrl, CHAT_API_KEY: apiKey = null, CHAT_MODEL: models } = config;
  if (baseUrl === undefined || models === undefined) return { models: noModels, close: () => {} };
  const { protocol, hostname, port } = new URL(baseUrl);
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  // Many such endpoints have no certificate, so http is let out in production, too.
  const egress = createEgress({
    isProduction: false,
    allow: { hosts: new Set([host]), ranges: [] },
    log,
    isInTransaction,
  });
  const endpoint = { baseUrl, apiKey, models, contextTokens: config.CHAT_CONTEXT_TOKENS };
  return { models: createEndpointModels({ endpoint, egress, log }), close: egress.close };
}
