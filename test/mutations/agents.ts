import { mutationsOf } from './mutation.ts';

export const agents = mutationsOf('agents', [
  [
    'hold-profile',
    'transitions.ts',
    'WHERE uuid = $1 AND ($2::uuid IS NULL OR profile_uuid = $2) FOR NO KEY UPDATE',
    'WHERE uuid = $1 AND ($2::uuid IS NULL OR $2 IS NOT NULL) FOR NO KEY UPDATE',
    "Another profile's agent is neither changed nor ended.",
    ['lifecycle.service'],
  ],
  [
    'transition-table',
    'transitions.ts',
    'if (!transitions[agent.state].includes(to))',
    'if (false as boolean)',
    'A transition that the life cycle does not have is refused.',
    ['lifecycle.service'],
  ],
  [
    'host-claim',
    'reconciler.ts',
    'if (!row.holds_host) await holdHost(row);',
    '',
    "No deployment takes another agent's host.",
    ['reconciler.service'],
  ],
  [
    'kill-admin',
    'endings.ts',
    'if (!isAdmin) throw agentNotFound();',
    'void isAdmin;',
    'Only an administrator kills.',
    ['lifecycle.service'],
  ],
  [
    'overtaken-failure',
    'reconciler.ts',
    'if (isOvertaken(row, agent)) return () => {};',
    '',
    'A deployment that fails delays no deletion that was requested meanwhile.',
    ['reconciler.service'],
  ],
  [
    'own-agent',
    'reports.ts',
    "if (kind === 'agent' && credentialUuid !== agentUuid) throw agentNotFound();",
    'void [kind, credentialUuid];',
    "An agent's credential reports for that agent alone.",
    ['credentials'],
  ],
]);
