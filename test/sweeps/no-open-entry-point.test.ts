import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { actions, anonymous, type Caller, type Scope } from '../../src/platform/caller.ts';
import { isApiError } from '../../src/platform/errors.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, keyOf, signUp, type TestServices } from '../support/services.ts';

type EntryPoint = (caller: Caller, ...rest: unknown[]) => unknown;

/** What each function of a service needs of its caller. A new function needs a line here, or one in `open`. */
const needs: Record<string, Scope | 'session'> = {
  'agents.visible': 'read',
  'agents.page': 'read',
  'agents.connection': 'read',
  'agents.count': 'read',
  'agents.find': 'read',
  'agents.findChanged': 'write',
  'agents.create': 'write',
  'agents.remove': 'write',
  'agents.kill': 'admin',
  'agents.changes.suspend': 'write',
  'agents.changes.resume': 'write',
  'agents.changes.wake': 'write',
  'agents.changes.setIdleAfter': 'write',
  'agents.changes.restart': 'write',
  'agents.changes.redeploy': 'write',
  'agents.changes.drain': 'write',
  'agents.events.follow': 'read',
  'agents.usage.ofProfile': 'read',
  'agents.quotas.ofProject': 'read',
  'agents.runtime.logs': 'read',
  'agents.runtime.follow': 'read',
  'agents.runtime.podEvents': 'read',
  'agents.reports.heartbeat': 'write',
  'agents.reports.metrics': 'write',
  'agents.reports.exported': 'read',
  'agents.reports.followHeartbeats': 'read',
  'agents.reports.followMetrics': 'read',
  'agents.reports.series': 'read',
  'auth.accounts.changePassword': 'session',
  'auth.accounts.confirmPassword': 'session',
  'auth.accounts.current': 'read',
  'auth.accounts.visible': 'read',
  'auth.projects.visible': 'read',
  'auth.projects.connection': 'read',
  'auth.projects.count': 'read',
  'auth.projects.page': 'read',
  'auth.projects.current': 'read',
  'auth.projects.create': 'session',
  'auth.profiles.visible': 'read',
  'auth.profiles.related': 'read',
  'auth.profiles.connection': 'read',
  'auth.profiles.count': 'read',
  'auth.profiles.page': 'read',
  'auth.profiles.current': 'read',
  'auth.profiles.create': 'admin',
  'auth.profiles.activate': 'session',
  'auth.apiKeys.visible': 'admin',
  'auth.apiKeys.related': 'admin',
  'auth.apiKeys.connection': 'admin',
  'auth.apiKeys.count': 'admin',
  'auth.apiKeys.page': 'admin',
  'auth.apiKeys.create': 'admin',
  'auth.apiKeys.revoke': 'admin',
  'auth.removal.removeProfile': 'admin',
  'auth.removal.removeProject': 'session',
  'auth.removal.removeAccount': 'session',
  'auth.administration.setTier': 'admin',
  'auth.administration.setDisabled': 'admin',
  'clipboard.get': 'read',
  'clipboard.find': 'read',
  'clipboard.page': 'read',
  'clipboard.connection': 'read',
  'clipboard.count': 'read',
  'clipboard.changed': 'read',
  'clipboard.set': 'write',
  'clipboard.push': 'write',
  'clipboard.pop': 'write',
  'clipboard.remove': 'write',
  'clipboard.clear': 'write',
  'documents.findAll': 'read',
  'documents.find': 'read',
  'documents.page': 'read',
  'documents.connection': 'read',
  'documents.count': 'read',
  'documents.versions': 'read',
  'documents.version': 'read',
  'documents.uploads.begin': 'write',
  'documents.uploads.receive': 'write',
  'documents.uploads.received': 'write',
  'documents.uploads.discard': 'write',
  'documents.uploads.create': 'write',
  'documents.uploads.createText': 'write',
  'documents.uploads.createAiText': 'write',
  'documents.uploads.restoreVersion': 'write',
  'documents.changes.update': 'write',
  'documents.changes.remove': 'write',
  'documents.changes.restore': 'write',
  'documents.changes.reindex': 'write',
  'documents.search': 'read',
  'documents.passages': 'read',
  'documents.reading.read': 'read',
  'documents.reading.grep': 'read',
  'documents.reading.diff': 'read',
  'documents.statistics': 'read',
  'documents.progressed': 'read',
  'documents.downloads.open': 'read',
  'notifications.page': 'read',
  'notifications.connection': 'read',
  'notifications.count': 'read',
  'notifications.find': 'read',
  'notifications.added': 'read',
  'notifications.unreadCountChanged': 'read',
  'notifications.create': 'write',
  'notifications.markRead': 'write',
  'notifications.markAllRead': 'write',
  'notifications.setCompleted': 'write',
  'notifications.remove': 'write',
  'users.isUsernameAvailable': 'read',
  'users.update': 'write',
  'users.follow': 'write',
  'users.unfollow': 'write',
  'webhooks.registrations.visible': 'read',
  'webhooks.registrations.page': 'read',
  'webhooks.registrations.connection': 'read',
  'webhooks.registrations.count': 'read',
  'webhooks.registrations.find': 'read',
  'webhooks.registrations.create': 'write',
  'webhooks.registrations.update': 'write',
  'webhooks.registrations.rotateSecret': 'write',
  'webhooks.registrations.remove': 'write',
  'webhooks.deliveries.visible': 'read',
  'webhooks.deliveries.connections': 'read',
  'webhooks.deliveries.counts': 'read',
  'webhooks.deliveries.page': 'read',
  'webhooks.deliveries.delivered': 'read',
  'webhooks.deliveries.test': 'write',
  'webhooks.deliveries.replay': 'write',
  'webhooks.deliveries.replayFailed': 'write',
  'mcpServers.toolCalls.find': 'read',
  'mcpServers.toolCalls.call': 'write',
  'mcpServers.configurations.connection': 'read',
  'mcpServers.configurations.count': 'read',
  'mcpServers.configurations.create': 'write',
  'mcpServers.configurations.findChanged': 'write',
  'mcpServers.configurations.update': 'write',
  'mcpServers.configurations.setVisibility': 'write',
  'mcpServers.configurations.remove': 'write',
  'mcpServers.configurations.publicAmong': 'read',
  'mcpServers.proxied.list': 'read',
  'mcpServers.capabilities.ofProfile': 'read',
  'mcpServers.discoveries.request': 'write',
  'mcpServers.discoveries.report': 'write',
  'mcpServers.watch.progressed': 'read',
  'mcpServers.usage.install': 'write',
  'mcpServers.usage.installAll': 'write',
  'mcpServers.usage.uninstall': 'write',
  'mcpServers.usage.rate': 'write',
  'mcpServers.usage.report': 'write',
  'analytics.trending.connection': 'read',
  'analytics.trending.count': 'read',
  'chat.sessions.visible': 'read',
  'chat.sessions.modelsFor': 'read',
  'chat.sessions.create': 'write',
  'chat.sessions.find': 'read',
  'chat.sessions.connection': 'read',
  'chat.sessions.count': 'read',
  'chat.sessions.page': 'read',
  'chat.sessions.update': 'write',
  'chat.sessions.remove': 'write',
  'chat.messages.visible': 'read',
  'chat.messages.send': 'write',
  'chat.messages.retry': 'write',
  'chat.messages.renew': 'write',
  'chat.messages.findReplaced': 'write',
  'chat.usage.current': 'read',
  'chat.staleness.changed': 'read',
  'chat.messages.abort': 'write',
  'chat.messages.find': 'read',
  'chat.messages.connection': 'read',
  'chat.messages.count': 'read',
  'chat.messages.page': 'read',
  'chat.follow.inSession': 'read',
  'chat.follow.answer': 'read',
  'collections.changed': 'read',
  'collections.findImported': 'write',
  'collections.create': 'write',
  'collections.update': 'write',
  'collections.remove': 'write',
  'collections.importServers': 'write',
  'registry.links.begin': 'session',
  'registry.links.complete': 'session',
  'registry.links.remove': 'session',
  'registry.links.current': 'read',
  'registry.catalogue.health': 'read',
  'registry.submissions.submit': 'write',
  'registry.submissions.connection': 'read',
  'registry.submissions.count': 'read',
  'registry.reviews.accept': 'admin',
  'registry.reviews.reject': 'admin',
  'registry.lifecycle.deprecate': 'write',
  'registry.lifecycle.reactivate': 'write',
  'registry.lifecycle.withdraw': 'write',
  'oauth.sessions.visible': 'read',
  'oauth.sessions.list': 'read',
  'oauth.sessions.connection': 'read',
  'oauth.sessions.count': 'read',
  'oauth.sessions.find': 'read',
  'oauth.sessions.findChanged': 'write',
  'oauth.sessions.create': 'write',
  'oauth.sessions.complete': 'write',
  'oauth.sessions.revoke': 'write',
  'oauth.serverSettings.configure': 'write',
  'oauth.reports.request': 'write',
  'oauth.securityEvents.connection': 'read',
  'oauth.securityEvents.count': 'read',
  'oauth.watch.changes': 'read',
  'search.statistics.find': 'read',
};

/** The functions that need no permission, each with the reason. */
const open: Record<string, string> = {
  'auth.agentCredentials.verify': 'It takes a secret, not a caller: it says which agent the caller is.',
  'agents.mistakesOf': 'Pure: it validates fields.',
  'documents.reembed': 'A job; no API leads to it.',
  'documents.vectorIndexes.begin': 'A job; no API leads to it.',
  'documents.vectorIndexes.renew': 'A job; no API leads to it.',
  'chat.sessions.mistakesOf': 'Pure: it validates fields.',
  'chat.sessions.removeContents': 'The removal of profiles calls it; no API leads to it.',
  'chat.removeContents': 'Likewise.',
  'chat.endLostAnswers': 'A job; no API leads to it.',
  'chat.purge': 'Likewise.',
  'chat.staleness.check': 'Likewise.',
  'chat.staleness.read': 'A worker reads the outbox with it; no API leads to it.',
  'chat.close': 'It ends what this process writes; no API leads to it.',
  'agents.endDrained': 'The reconciler calls it; no API leads to it.',
  'documents.remainingSeconds': 'Pure: it estimates from a record that was read already.',
  'documents.changes.purge': 'A job; no API leads to it.',
  'documents.changes.removeContents': 'The removal of profiles calls it; no API leads to it.',
  'documents.ingestion.settle': 'A worker reads documents with it; no API leads to it.',
  'documents.ingestion.sendOverdue': 'A job; no API leads to it.',
  'documents.ingestion.worker.handle': 'It deals with the queue; no API leads to it.',
  'documents.files.removeUnused': 'A job; no API leads to it.',
  'documents.files.compare': 'A job; no API leads to it.',
  'agents.removeContents': 'The removal of profiles calls it; no API leads to it.',
  'agents.events.latest': 'It takes agents that the caller may see.',
  'agents.events.lookAround': 'It looks for events whose signal was lost; no API leads to it.',
  'agents.statuses.of': 'It takes agents that the caller may see.',
  'agents.statuses.livenessOf': 'Likewise.',
  'agents.usage.costOf': 'Likewise.',
  'agents.idleness.note': 'The runner of operations calls it with the agent that calls; no API leads to it.',
  'agents.idleness.scan': 'The leader looks for idle agents with it; no API leads to it.',
  'agents.reports.latestHeartbeats': 'Likewise.',
  'agents.reports.latestMetrics': 'Likewise.',
  'agents.liveness.scan': 'A worker looks for late agents with it; no API leads to it.',
  'agents.liveness.start': 'Likewise.',
  'agents.upkeep.makePartitions': 'A job; no API leads to it.',
  'agents.upkeep.dropPartitions': 'Likewise.',
  'agents.upkeep.addUpSeries': 'Likewise.',
  'agents.upkeep.purgeUsage': 'Likewise.',
  'agents.reconciler.start': 'It starts the reconciler of a worker; no API leads to it.',
  'agents.reconciler.settle': 'Likewise.',
  'agents.reconciler.sweep': 'Likewise.',
  'agents.reconciler.observe': 'Likewise.',
  'agents.reconciler.lead': 'Likewise.',
  'auth.accounts.signUp': 'A new user has no account before.',
  'auth.accounts.signIn': 'It is how one comes to a credential.',
  'auth.sessions.end': 'Without a session there is nothing to end; a key is refused, see below.',
  'auth.sessions.verify': 'It takes a token, not a caller: it says who the caller is.',
  'auth.guesses.purgeNetworks': 'A job; no entry point leads to it.',
  'auth.sessions.purgeExpired': 'A job; no entry point leads to it.',
  'auth.apiKeys.verify': 'It takes a secret, not a caller: it says who the caller is.',
  'auth.apiKeys.forgetVerified': 'It only forgets what was verified; no API leads to it.',
  'auth.removal.removeLeftovers': 'A job; no API leads to it.',
  'clipboard.removeContents': 'The removal of profiles calls it; no API leads to it.',
  'notifications.removeContents': 'Likewise.',
  'notifications.purge': 'A job; no API leads to it.',
  'webhooks.removeContents': 'Likewise.',
  'webhooks.registrations.removeContents': 'Likewise.',
  'auth.accounts.mistakesOf': 'Pure: it validates fields.',
  'auth.apiKeys.mistakesOf': 'Likewise.',
  'webhooks.registrations.mistakesOf': 'Likewise.',
  'mcpServers.configurations.mistakesOf': 'Likewise.',
  'registry.submissions.mistakesOf': 'Likewise.',
  'auth.apiKeys.state': 'Pure: it validates a record that was read already.',
  'auth.credentials.holding':
    'It takes verified principals and returns which are still valid; no entry point leads to it.',
  'clipboard.purgeExpired': 'A job; no entry point leads to it.',
  'notifications.notify': 'It takes the transaction of another area, not a caller; no entry point leads to it.',
  'auth.internalAccounts.profileOf':
    'It takes a name of ours, not a caller; imports call it, and no entry point leads to it.',
  'registry.catalogue.connection': 'The registry is public, as the official one is.',
  'registry.catalogue.count': 'Likewise.',
  'registry.catalogue.versions': 'Likewise.',
  'registry.catalogue.find': 'Likewise.',
  'registry.links.asking': 'It takes a user whom another function has authorized; no entry point leads to it.',
  'registry.links.purge': 'A job; no entry point leads to it.',
  'registry.submissions.shaped': 'Pure: it shapes a row that was read already.',
  'registry.lifecycle.settleOrphans': 'A job; no entry point leads to it.',
  'registry.lifecycle.recount': 'A job; no entry point leads to it.',
  'registry.imports.run': "The operator's program calls it; no entry point leads to it.",
  'auth.usernames.keyOf': 'Pure: it spells a name as it is compared.',
  'auth.usernames.isFree': 'It takes a name, not a caller; the area users authorizes its own callers.',
  'users.profile':
    'Profiles that are public are for everybody (docs/specification/general.md#credentials); test/users shows what is not.',
  'users.find': 'The same by the ids of users.',
  'users.lists': 'Of profiles that are public, and of whom they lead to: test/users.',
  'users.counts': 'The same in numbers.',
  'users.purgeNotices': 'A job; no entry point leads to it.',
  'mcpServers.configurations.visible':
    'Every caller sees public servers; a key needs the scope read, see test/mcp-servers.',
  'mcpServers.configurations.find': 'Likewise.',
  'mcpServers.configurations.open': 'Likewise.',
  'mcpServers.configurations.findAll': 'Likewise; the scope is asked where the ids come from.',
  'mcpServers.configurations.shownUrl': 'Pure: it hides the query of a url.',
  'mcpServers.configurations.isOwn': 'Pure: it validates a record that was read already.',
  'mcpServers.configurations.masked': 'Pure: it hides values.',
  'mcpServers.capabilities.of': 'What public servers offer is public.',
  'mcpServers.changes.connection': 'So is what of it has changed; a key needs the scope read.',
  'mcpServers.changes.count': 'Likewise.',
  'mcpServers.changes.purge': 'A job; no entry point leads to it.',
  'mcpServers.watch.toolsChanged': 'Every caller may follow a public server; without one it requires the scope read.',
  'mcpServers.discoveries.send': 'It takes the transaction of its caller; no entry point leads to it.',
  'mcpServers.discoveries.announce': 'It signals that a job is queued; no entry point leads to it.',
  'mcpServers.discoveries.worker.handle': 'It processes the queue; no entry point leads to it.',
  'mcpServers.usage.stats': 'So are their figures; REST asks for a key.',
  'mcpServers.usage.statsOfAll': 'Likewise; the scope is asked where the servers come from.',
  'mcpServers.usage.publicServersOf': 'Numbers of public servers; the area users authorizes its own callers.',
  'mcpServers.usage.recount': 'A job; no entry point leads to it.',
  'mcpServers.usage.purge': 'Likewise.',
  'analytics.trending.ranksOf': 'Numbers of public servers; a private one has the place after all of them.',
  'analytics.trending.rollUp': 'A job; no entry point leads to it.',
  'analytics.trending.start': 'It starts the work of a worker; no entry point leads to it.',
  'notifications.notifyAll': 'As notify.',
  'collections.visible': 'Every caller sees public collections; a key needs the scope read, see test/collections.',
  'collections.find': 'Likewise.',
  'collections.connection': 'Likewise of a profile that is named; without one it asks for the scope read.',
  'collections.count': 'The same in numbers.',
  'collections.page': 'The same by offset; REST asks for a key.',
  'collections.isOwn': 'Pure: it validates a record that was read already.',
  'collections.servers.places': 'Of collections that are public; the scope is asked where the collections come from.',
  'collections.servers.counts': 'The same in numbers.',
  'oauth.flows.begin': 'It answers a key like no credential at all: 401 (docs/specification/oauth.md#initiate).',
  'oauth.flows.refresh': 'Likewise.',
  'oauth.flows.complete': 'Without a session it answers `state_invalid`, and looks at no state.',
  'oauth.flows.prepared': 'It takes a server whose owner another function has verified; no API leads to it.',
  'oauth.flows.exchanged': 'Likewise.',
  'oauth.flows.count': 'It counts; no API leads to it.',
  'oauth.states.store': 'It takes the transaction of its caller; no API leads to it.',
  'oauth.states.take': 'It takes a state and the user that it must belong to; no API leads to it.',
  'oauth.states.cleanUp': 'A job; no API leads to it.',
  'oauth.states.cleanUpNow': 'For administrators and the route that has checked CRON_SECRET: test/oauth.',
  'oauth.states.active': 'A number for the metrics.',
  'registry.links.active': 'A number for the metrics.',
  'oauth.sessions.statusOf': 'Pure: it reads a record that was read already.',
  'oauth.serverSettings.authorizations': 'It answers null for servers of others, and to callers without a credential.',
  'oauth.reports.store': 'It stores what a run has seen; no API leads to it.',
  'oauth.reports.forget': 'It takes the transaction of its caller; no API leads to it.',
  'oauth.reports.of': 'It answers null for private servers of others: test/oauth/report.rest.test.ts.',
  'oauth.reports.outcomesOf': 'Likewise, with empty lists.',
  'oauth.reports.changesOf': 'Likewise.',
  'oauth.reportRuns.runDue': 'A job; no API leads to it.',
  'oauth.reportRuns.purge': 'Likewise.',
  'oauth.reportRuns.worker.handle': 'It deals with the queue; no API leads to it.',
  'oauth.securityEvents.record': 'It takes the transaction of its caller; no API leads to it.',
  'oauth.securityEvents.purge': 'A job; no API leads to it.',
  'oauth.watch.changed': 'It publishes a change; no API leads to it.',
  'oauth.upkeep.refreshExpiring': 'A job; no API leads to it.',
  'oauth.upkeep.expire': 'Likewise.',
  'oauth.upkeep.purge': 'Likewise.',
  'oauth.upkeep.activeTokens': 'A number for the metrics.',
  'mcpServers.discoveries.afterAuthorization': 'It takes the transaction of its caller; no API leads to it.',
  'search.found.page': 'Every caller may search, and finds public servers only: test/search.',
  'search.found.connection': 'Likewise.',
  'search.statistics.reportOpened': 'It counts the results that a search of the caller has shown.',
  'search.statistics.opened': 'It counts that a server was opened; the function that opens it authorizes.',
  'search.statistics.flush': 'It stores counts; no entry point leads to it.',
  'search.statistics.purge': 'A job; no entry point leads to it.',
  'search.upkeep.sortIntoTiers': 'A job; no entry point leads to it.',
  'search.upkeep.takeUpWords': 'A job; no entry point leads to it.',
  'search.upkeep.countWords': 'A job; no entry point leads to it.',
  'search.upkeep.forgetWords': 'A job; no entry point leads to it.',
  'search.upkeep.addUpCounts': 'A job; no entry point leads to it.',
  'webhooks.registrations.status': 'Pure: it validates a record that was read already.',
  'webhooks.deliveries.nextRetryAt': 'Pure: it validates a record that was read already.',
  'webhooks.fanOut': 'A worker reads the outbox with it; no entry point leads to it.',
  'webhooks.purge': 'A job; no entry point leads to it.',
  'webhooks.start': 'It starts the dispatcher of a worker; no entry point leads to it.',
  'webhooks.sendDue': 'It sends due deliveries; no entry point leads to it.',
};

/** Every function of the services by its path, however deep it lies. */
function functionsOf(services: object, prefix = ''): Map<string, EntryPoint> {
  const found = new Map<string, EntryPoint>();
  for (const [name, member] of Object.entries(services)) {
    if (typeof member === 'function') found.set(prefix + name, member as EntryPoint);
    else if (typeof member === 'object' && member !== null)
      for (const [inner, entryPoint] of functionsOf(member, `${prefix}${name}.`)) found.set(inner, entryPoint);
  }
  return found;
}

/** The code of the refusal that a call ends with; any other error as its text, and success as a word. */
async function outcomeOf(entryPoint: EntryPoint, caller: Caller): Promise<string> {
  try {
    const result = await entryPoint(caller);
    await (result as AsyncGenerator | undefined)?.return?.(undefined);
    return 'let in';
  } catch (error) {
    return isApiError(error) ? error.code : `fault: ${String(error)}`;
  }
}

let test: TestServices;
let entryPoints: Map<string, EntryPoint>;
let user: Caller;

beforeAll(async () => {
  test = await createTestServices();
  entryPoints = functionsOf(test.services);
  user = await signUp(test.services);
});

const scopes: readonly Scope[] = ['read', 'write', 'admin'];

const keys = new Map<string, Promise<Caller>>();

/** A key with these scopes, one for all tests: a profile can have 200. */
function keyWith(some: readonly Scope[]): Promise<Caller> {
  const name = some.join(' ');
  const known = keys.get(name) ?? keyOf(test.services, user, { scopes: [...some] }).then(({ caller }) => caller);
  keys.set(name, known);
  return known;
}

const guarded = Object.entries(needs);

describe('every function of every service', () => {
  it('stands in one of the two tables, and the tables name nothing else', () => {
    const known = [...Object.keys(needs), ...Object.keys(open)];
    expect([...entryPoints.keys()].sort()).toEqual(known.sort());
  });

  it.each(guarded)(
    '%s refuses a caller without credentials before it does anything',
    verifies('access.anonymous'),
    async (name) => {
      test.statements.length = 0;
      // Without an input: a function that validates first would fail differently, and show an anonymous caller the
      // expected form.
      expect(await outcomeOf(entryPoints.get(name) as EntryPoint, anonymous('192.0.2.1'))).toBe('UNAUTHORIZED');
      expect(test.statements).toEqual([]);
    },
  );

  it.each(guarded)(
    '%s refuses a key without the scope (%s) before it does anything',
    verifies('identity.key.scopes'),
    async (name, need) => {
      const others = scopes.filter((scope) => scope !== need);
      const caller = await keyWith(need === 'session' ? scopes : others);
      test.statements.length = 0;
      expect(await outcomeOf(entryPoints.get(name) as EntryPoint, caller)).toBe('FORBIDDEN');
      expect(test.statements).toEqual([]);
    },
  );

  it.each(guarded)(
    `%s lets in whom the table names (%s): the tests above refuse for the right reason`,
    async (name, need) => {
      const caller = need === 'session' ? user : await keyWith([need]);
      expect(['UNAUTHORIZED', 'FORBIDDEN']).not.toContain(await outcomeOf(entryPoints.get(name) as EntryPoint, caller));
    },
  );
});

describe('the functions that need no permission', () => {
  it('do not let a key end a session', async () => {
    const caller = await keyWith(scopes);
    await expect(test.services.auth.sessions.end(caller)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('tell nothing to who brings nothing', async () => {
    const { sessions, apiKeys, credentials } = test.services.auth;
    for (const nothing of ['', ' ', 'x', '\u0000', undefined, null, {}] as string[]) {
      expect(await sessions.verify(nothing)).toBeNull();
      expect(await apiKeys.verify(nothing)).toBeNull();
    }
    expect((await credentials.holding([{ credentialUuid: '00000000-0000-4000-8000-000000000000' }])).size).toBe(0);
  });
});

describe('the list of actions', () => {
  it('names what services ask for, and nothing that is gone', () => {
    const folder = path.resolve(import.meta.dirname, '../../src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const source = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('');
    const asked = [...source.matchAll(/authorize\(caller, '([^']+)'\)/g)].map(([, action]) => action);
    expect([...new Set(asked)].sort()).toEqual([...actions].sort());
  });
});
