import createClient from 'openapi-fetch';
import type { components, paths } from 'patchbay-openapi';

// A program of a user of the API. The test beside it generates `patchbay-openapi` from the document that the running product serves,
// compiles this file with it, and runs it. The lines marked with @ts-expect-error prove that the types are not `any`.

type Schemas = components['schemas'];

export function createPatchbay(baseUrl: string, apiKey: string | null) {
  const api = createClient<paths>({ baseUrl, headers: apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` } });

  async function useClipboard(): Promise<Schemas['ClipboardEntry'][]> {
    const set = await api.POST('/api/clipboard', { body: { name: 'note', value: 'one', encoding: 'utf-8' } });
    if (set.error) throw new Error(set.error.error);
    const got = await api.POST('/api/clipboard/get', { body: { name: set.data.entry.name } });
    if (got.error) throw new Error(got.error.error);
    const pushed = await api.POST('/api/clipboard/push', {
      params: { header: { 'Idempotency-Key': 'push-1' } },
      body: { value: 'two', ttlSeconds: 60 },
    });
    if (pushed.error) throw new Error(pushed.error.error);
    const listed = await api.GET('/api/clipboard', { params: { query: { limit: 10, contentType: 'text/plain' } } });
    if (listed.error) throw new Error(listed.error.error);
    if (!('entries' in listed.data)) throw new Error('this is one entry, not a list');
    const entries: Schemas['ClipboardEntry'][] = [got.data.entry, ...listed.data.entries];
    const popped = await api.POST('/api/clipboard/pop');
    if (popped.error) throw new Error(popped.error.error);
    const entry: Schemas['PoppedClipboardEntry'] = popped.data.entry;
    // @ts-expect-error a popped entry has no expiry
    entry.expiresAt satisfies undefined;
    return entries;
  }

  async function createWebhook(
    url: string,
  ): Promise<Schemas['NewWebhook'] & { deliveries: Schemas['WebhookDelivery'][] }> {
    const created = await api.POST('/api/webhooks', { body: { url, events: ['document.deleted'] } });
    if (created.error) throw new Error(created.error.error.message);
    const path = { webhook_id: created.data.id };
    const webhook = await api.GET('/api/webhooks/{webhook_id}', { params: { path } });
    const status: 'active' | 'inactive' | 'failed' | undefined = webhook.data?.status;
    if (status !== 'active') throw new Error(`the webhook is ${status}`);
    const listed = await api.GET('/api/webhooks/{webhook_id}/deliveries', { params: { path, query: { limit: 5 } } });
    return { ...created.data, deliveries: listed.data?.deliveries ?? [] };
  }

  async function listNotifications(): Promise<Schemas['Notification'][]> {
    const metadata = { nested: { count: 2 }, list: [1, 'two'] };
    await api.POST('/api/notifications', { body: { message: 'hello', severity: 'INFO', metadata } });
    const { data, error } = await api.GET('/api/notifications', { params: { query: { unread: true, limit: 5 } } });
    if (error) throw new Error(error.error.message);
    const count: unknown = data.notifications[0]?.metadata.nested;
    if (typeof count !== 'object') throw new Error('the metadata was lost');
    return data.notifications;
  }

  /** The errors of three groups of routes, each in its own shape. */
  async function meetErrors() {
    const missing = await api.POST('/api/clipboard/get', { body: { name: 'nothing-here' } });
    const ofClipboard: Schemas['ClipboardError'] | undefined = missing.error;
    const uuid = 'b0b0b0b0-0000-4000-8000-000000000000';
    const unknown = await api.GET('/api/webhooks/{webhook_id}', { params: { path: { webhook_id: uuid } } });
    const general: Schemas['Error'] | undefined = unknown.error;
    const versions = await api.GET('/v0.1/servers/{serverName}/versions', {
      params: { path: { serverName: 'io.github.nobody/nothing' } },
    });
    const ofRegistry: Schemas['RegistryError'] | undefined = versions.error;
    const custom = await api.POST('/api/notifications/custom', { body: { message: '' } });
    const ofProxy: Schemas['ProxyError'] | undefined = custom.error;
    return { ofClipboard, general, ofRegistry, ofProxy, limit: unknown.response.headers.get('X-RateLimit-Limit') };
  }

  return { useClipboard, createWebhook, listNotifications, meetErrors };
}

/** Calls that must not compile. They never run. */
export function mistakes(api: ReturnType<typeof createClient<paths>>) {
  // @ts-expect-error the value is missing
  void api.POST('/api/clipboard/push', { body: {} });
  // @ts-expect-error an encoding that does not exist
  void api.POST('/api/clipboard/push', { body: { value: 'x', encoding: 'latin-1' } });
  // @ts-expect-error a path that does not exist
  void api.GET('/api/clipboards');
  // @ts-expect-error a method that the path does not have
  void api.PATCH('/api/clipboard', { body: {} });
  // @ts-expect-error the parameter of the path is missing
  void api.GET('/api/webhooks/{webhook_id}', {});
  // @ts-expect-error a number where text belongs
  void api.GET('/api/search', { params: { query: { q: 7 } } });
}
