-- Agents whose grace period ends, for an installation whose orchestrator is off: its scan costs nothing for all other agents.
CREATE INDEX "agents_drain_until_idx" ON "agents"("drain_until") WHERE "state" = 'DRAINING';
