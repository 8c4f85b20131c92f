-- CreateIndex
CREATE INDEX "registry_submissions_created_at_uuid_idx" ON "registry_submissions"("created_at", "uuid");

-- CreateIndex
CREATE INDEX "registry_versions_version_seq_idx" ON "registry_versions"("version", "seq");
