import { createEndpointProvider } from './endpoint.ts';
import type { EmbeddingDependencies, EmbeddingEndpoint, EmbeddingProvider } from './model.ts';
import { createOfflineProvider, offlineModel } from './offline.ts';

export type { EmbeddingDependencies, EmbeddingEndpoint, EmbeddingProvider } from './model.ts';

/** The model of the settings, and those that vectors were made with before. */
export interface EmbeddingProviders {
  /** Makes the vectors of new passages. */
  readonly current: EmbeddingProvider;
  /**
   * The provider for a model by its name, so that passages are found while their vectors are of the model before: the offline model always
   * answers, and the endpoint of the settings is asked for the models that it was asked for before.
   *
   * @returns null where nothing can answer for the model.
   */
  of(model: string, dims: number): EmbeddingProvider | null;
  close(): Promise<void>;
}

/**
 * The providers that the settings name. Nothing is loaded or connected before the first text.
 *
 * Source: docs/decisions/0041-document-search.md.
 */
export function createEmbeddingProviders(
  deps: EmbeddingDependencies & { readonly endpoint: EmbeddingEndpoint | null },
): EmbeddingProviders {
  const { endpoint } = deps;
  const known = new Map<string, EmbeddingProvider>();
  const offline = () => once(offlineModel, createOfflineProvider);
  const once = (name: string, create: () => EmbeddingProvider): EmbeddingProvider => {
    const provider = known.get(name) ?? create();
    known.set(name, provider);
    return provider;
  };
  const remote = (to: EmbeddingEndpoint) => {
    const provider = createEndpointProvider({ ...deps, endpoint: to });
    return once(provider.id, () => provider);
  };
  return {
    current: endpoint === null ? offline() : remote(endpoint),
    of(name, dims) {
      if (name === offlineModel) return offline();
      const [, model] = /^openai:(.+)$/.exec(name) ?? [];
      return endpoint === null || model === undefined ? null : remote({ ...endpoint, model, dims });
    },
    async close() {
      await Promise.all([...known.values()].map((provider) => provider.close()));
    },
  };
}
