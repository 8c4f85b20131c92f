-- CreateTable
CREATE TABLE "idempotent_answers" (
    "scope_hash" BYTEA NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "answer" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answers_pkey" PRIMARY KEY ("scope_hash")
);

-- CreateIndex
CREATE INDEX "idempotent_answers_expires_at_idx" ON "idempotent_answers"("expires_at");
