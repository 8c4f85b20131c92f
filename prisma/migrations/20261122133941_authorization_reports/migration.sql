-- AlterTable
ALTER TABLE "oauth_server_settings" ADD COLUMN     "omits_report" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "oauth_reports" (
    "server_uuid" UUID NOT NULL,
    "server_url" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "grade" TEXT,
    "passed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "not_applicable" INTEGER NOT NULL DEFAULT 0,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_reports_pkey" PRIMARY KEY ("server_uuid")
);

-- CreateTable
CREATE TABLE "oauth_report_outcomes" (
    "server_uuid" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "known_outcome" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_report_outcomes_pkey" PRIMARY KEY ("server_uuid","rule")
);

-- CreateTable
CREATE TABLE "oauth_report_changes" (
    "uuid" UUID NOT NULL,
    "server_uuid" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_report_changes_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "oauth_report_hosts" (
    "origin" TEXT NOT NULL,
    "run_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_report_hosts_pkey" PRIMARY KEY ("origin")
);

-- CreateIndex
CREATE INDEX "oauth_reports_origin_checked_at_idx" ON "oauth_reports"("origin", "checked_at");

-- CreateIndex
CREATE INDEX "oauth_report_changes_server_uuid_at_idx" ON "oauth_report_changes"("server_uuid", "at");

-- CreateIndex
CREATE INDEX "oauth_report_hosts_due_at_idx" ON "oauth_report_hosts"("due_at");

-- AddForeignKey
ALTER TABLE "oauth_reports" ADD CONSTRAINT "oauth_reports_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_report_outcomes" ADD CONSTRAINT "oauth_report_outcomes_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "oauth_reports"("server_uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_report_changes" ADD CONSTRAINT "oauth_report_changes_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "oauth_reports"("server_uuid") ON DELETE CASCADE ON UPDATE CASCADE;
