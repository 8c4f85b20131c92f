/** Seconds in which a heartbeat of an agent must arrive, by mode. Source: docs/specification/agents.md#heartbeats. */
export const heartbeatIntervals = { EMERGENCY: 5, IDLE: 30, SLEEP: 900 } as const;
export type HeartbeatMode = keyof typeof heartbeatIntervals;

export const heartbeatModes = Object.keys(heartbeatIntervals) as HeartbeatMode[];

/** How long an agent may be silent, as an SQL interval. @param mode An SQL expression of the mode. */
export const heartbeatIntervalText = (mode: string): string =>
  `(CASE ${mode} ${Object.entries(heartbeatIntervals)
    .map(([name, seconds]) => `WHEN '${name}' THEN interval '${seconds} seconds'`)
    .join(' ')} END)`;
