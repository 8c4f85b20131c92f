-- CreateIndex
CREATE INDEX "document_versions_ready_at_idx" ON "document_versions"("ready_at");
