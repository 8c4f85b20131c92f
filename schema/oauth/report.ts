import DataLoader from 'dataloader';
import {
  grades,
  type ReportChange,
  type RuleOutcome,
  reportChangesMax,
  rules,
  type ServerReport,
} from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enum.ts';
import { perExecution } from '../loader.ts';
import { changedServer, serverQuery } from '../mcp-servers/mutations.ts';
import { McpServer } from '../mcp-servers/server.ts';
import { mutation } from '../mutation.ts';
import { readForResponse } from '../response-budget.ts';

/** Bytes of one outcome and of one change. */
const outcomeBytesMax = 2_048;
const changeBytesMax = 256;

/** The reports of all servers of a response: one statement each. */
const reportLoaders = perExecution(({ caller, services: { oauth } }, info) => {
  const lists = <Item>(itemsMax: number, itemBytes: number, read: (uuids: readonly string[]) => Promise<Item[][]>) =>
    new DataLoader(
      (uuids: readonly string[]) => {
        const bytesOf = (found: Item[][]) => found.reduce((bytes, items) => bytes + items.length * itemBytes, 0);
        return readForResponse(info, { bytesMax: uuids.length * itemsMax * itemBytes, bytesOf }, () => read(uuids));
      },
      { cache: false },
    );
  const { reports } = oauth;
  return {
    reports: new DataLoader((uuids: readonly string[]) => reports.of(caller, uuids), { cache: false }),
    outcomes: lists(rules.size, outcomeBytesMax, (uuids) => reports.outcomesOf(caller, uuids)),
    changes: lists(reportChangesMax, changeBytesMax, (uuids) => reports.changesOf(caller, uuids)),
  };
});

const Grade = builder.enumType('AuthorizationReportGrade', {
  description: 'Grade of an authorization report: the severity of the rules that fail.',
  values: {
    A: { value: grades[0], description: 'All applicable rules pass.' },
    B: { value: grades[1], description: 'Rules of the severity LOW fail.' },
    C: { value: grades[2], description: 'Rules of the severity MEDIUM fail.' },
    D: { value: grades[3], description: 'Rules of the severity HIGH fail.' },
  } as const,
});

const Severity = enumOf('AuthorizationRuleSeverity', 'Severity of a rule of the authorization report.', {
  high: 'If the rule fails, clients cannot authorize, or not safely.',
  medium: 'Some clients cannot authorize, or a protection is missing.',
  low: 'A recommendation.',
});

const OutcomeKind = enumOf('AuthorizationRuleOutcomeKind', 'Outcome of a rule of the authorization report.', {
  passed: 'The server passes the rule.',
  failed: 'The server fails the rule.',
  not_applicable: 'The rule does not apply to the server.',
  unknown: 'The server was not reachable, or did not respond.',
});

const Fact = builder.objectRef<RuleOutcome['facts'][number]>('AuthorizationRuleFact').implement({
  description: 'A fact that led to the outcome of a rule.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Kind of the fact: `status`, `url` or `advertised`.' }),
    value: t.exposeString('value', {
      description: 'An HTTP status, a URL without its query, or names that the server advertises. Do not trust it.',
    }),
  }),
});

/** Facts of one outcome: two URLs and a status. */
const factsMax = 3;

const Outcome = builder.objectRef<RuleOutcome>('AuthorizationRuleOutcome').implement({
  description: 'The outcome of one rule.',
  fields: (t) => ({
    rule: t.exposeString('rule', { description: 'Id of the rule, such as `pkce_s256`.' }),
    title: t.exposeString('title', { description: 'The rule as a sentence.' }),
    source: t.exposeString('source', { description: 'Section of the specification, such as `RFC 8414, 3.3`.' }),
    severity: t.expose('severity', { type: Severity, description: 'Severity of the rule.' }),
    outcome: t.expose('outcome', { type: OutcomeKind, description: 'The outcome.' }),
    evidence: t.exposeString('evidence', { description: 'The observation behind the outcome, as a sentence.' }),
    facts: t.expose('facts', {
      type: [Fact],
      description: 'The facts behind the outcome.',
      extensions: { defaultLength: factsMax },
    }),
    since: t.expose('since', {
      type: 'DateTime',
      description: 'Time at which this outcome was first seen. For UNKNOWN, the time of the previous outcome.',
    }),
  }),
});

const Change = builder.objectRef<ReportChange>('AuthorizationReportChange').implement({
  description: 'A rule whose outcome has changed. UNKNOWN does not count as a change.',
  fields: (t) => ({
    rule: t.exposeString('rule', { description: 'Id of the rule.' }),
    title: t.exposeString('title', { description: 'The rule as a sentence.' }),
    before: t.expose('before', { type: OutcomeKind, description: 'The previous outcome.' }),
    after: t.expose('after', { type: OutcomeKind, description: 'The new outcome.' }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the check that detected the change.' }),
  }),
});

const AuthorizationReport = builder.objectRef<ServerReport>('AuthorizationReport').implement({
  description: 'The OAuth rules that a server passes or fails, from a check without credentials.',
  fields: (t) => ({
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'Time of the check.' }),
    grade: t.expose('grade', {
      type: Grade,
      nullable: true,
      description:
        'The grade; null if the server requires no authorization, or if a rule of the severity HIGH is UNKNOWN.',
    }),
    passed: t.exposeInt('passed', { description: 'Number of rules that pass.' }),
    failed: t.exposeInt('failed', { description: 'Number of rules that fail.' }),
    notApplicable: t.exposeInt('notApplicable', { description: 'Number of rules that do not apply.' }),
    unknown: t.exposeInt('unknown', { description: 'Number of rules with an unknown outcome.' }),
    outcomes: t.field({
      type: [Outcome],
      description: 'The outcomes of all rules.',
      extensions: { defaultLength: rules.size },
      resolve: ({ serverUuid }, _args, context, info) => reportLoaders(context, info).outcomes.load(serverUuid),
    }),
    changes: t.field({
      type: [Change],
      description: 'Changes between checks, the newest first: the latest 50 are kept.',
      extensions: { defaultLength: reportChangesMax },
      resolve: ({ serverUuid }, _args, context, info) => reportLoaders(context, info).changes.load(serverUuid),
    }),
  }),
});

builder.prismaObjectField(McpServer, 'authorizationReport', (t) =>
  t.field({
    type: AuthorizationReport,
    nullable: true,
    description:
      'The latest authorization report; null if the server was not checked. Public HTTP and SSE servers are checked once a week.',
    resolve: ({ uuid }, _args, context, info) => reportLoaders(context, info).reports.load(uuid),
  }),
);

mutation('authorizationReportRequest', {
  description:
    'Queues one of your MCP servers for a check of its authorization. CONFLICT for STDIO, for an excluded server, and less than 24 hours after the latest check of its host.',
  rateLimit: 'sensitive',
  input: {
    description: 'The server to check.',
    argument: 'The server.',
    fields: (t) => ({ serverUuid: t.string({ required: true, description: 'UUID of an MCP server of yours.' }) }),
  },
  payload: changedServer,
  resolve: async (input, context, info) => {
    const { oauth, mcpServers } = context.services;
    const uuid = await oauth.reports.request(context.caller, input);
    const server = await mcpServers.configurations.findChanged(context.caller, uuid, serverQuery(context, info));
    return { server };
  },
});
