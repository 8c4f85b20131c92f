/** Few connections carry all short reads: each has many under way at once (pipeline.ts). */
export const readConnectionsMax = 2;

/** Connections of each of the two pools: ten, or fewer where several processes share one server. */
export const poolConnections = (processes: number): number => Math.max(3, Math.min(10, Math.floor(40 / processes)));

/** The connection of the locks of sessions (session-locks.ts). */
const lockConnections = 1;

/** Connections that one process holds for its queues. */
export const queueConnectionsMax = 3;

/** Connections that one of so many web processes may hold, all together. */
export const connectionsOf = (processes: number): number =>
  2 * poolConnections(processes) + readConnectionsMax + lockConnections + queueConnectionsMax;
