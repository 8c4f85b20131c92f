import process from 'node:process';

// Is loaded before an agent's program. It ends the agent when its runner has ended, however that came: kill -9 leaves no agent
// behind. The channel does not keep the agent alive.

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();
