import type { KubernetesApi } from './api.ts';
import type { WireList } from './wire.ts';

/** Objects of a page: many agents are read in many responses, none of which is large. */
const pageSize = 250;

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

export interface Listing<Item> {
  readonly items: Item[];
  /** Where a watch begins that misses nothing. */
  readonly resourceVersion: string;
}

/**
 * All objects of a path, page by page.
 *
 * @param options.metadataOnly Whether `metadata` is enough.
 * @throws {ApiFailure} 410 when the list has expired between two pages.
 */
export async function listed<Item>(
  api: KubernetesApi,
  path: string,
  options: {
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
    readonly metadataOnly?: boolean;
    readonly signal: AbortSignal;
  },
): Promise<Listing<Item>> {
  const { labelSelector, fieldSelector, signal } = options;
  const items: Item[] = [];
  let next: string | undefined;
  for (;;) {
    const page: WireList<Item> = await api.call('GET', path, {
      query: { labelSelector, fieldSelector, limit: pageSize, continue: next },
      ...(options.metadataOnly && { accept: metadataOnly }),
      signal,
    });
    items.push(...(page.items ?? []));
    next = page.metadata.continue || undefined;
    if (!next) return { items, resourceVersion: page.metadata.resourceVersion ?? '' };
  }
}
