-- CreateTable
CREATE TABLE "search_queries" (
    "key" BYTEA NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "search_queries_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "search_query_days" (
    "query" BYTEA NOT NULL,
    "day" DATE NOT NULL,
    "searches" INTEGER NOT NULL,

    CONSTRAINT "search_query_days_pkey" PRIMARY KEY ("query","day")
);

-- CreateTable
CREATE TABLE "search_askers" (
    "query" BYTEA NOT NULL,
    "asker" BYTEA NOT NULL,
    "is_user" BOOLEAN NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "search_askers_pkey" PRIMARY KEY ("query","asker")
);

-- CreateTable
CREATE TABLE "search_result_days" (
    "query" BYTEA NOT NULL,
    "day" DATE NOT NULL,
    "server_uuid" UUID NOT NULL,
    "impressions" INTEGER NOT NULL DEFAULT 0,
    "clicks" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "search_result_days_pkey" PRIMARY KEY ("query","day","server_uuid")
);

-- CreateTable
CREATE TABLE "search_openings" (
    "query" BYTEA NOT NULL,
    "server_uuid" UUID NOT NULL,
    "asker" BYTEA NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "search_openings_pkey" PRIMARY KEY ("query","server_uuid","asker")
);

-- CreateIndex
CREATE INDEX "search_query_days_day_idx" ON "search_query_days"("day");

-- CreateIndex
CREATE INDEX "search_askers_day_idx" ON "search_askers"("day");

-- CreateIndex
CREATE INDEX "search_result_days_server_uuid_day_idx" ON "search_result_days"("server_uuid", "day");

-- CreateIndex
CREATE INDEX "search_result_days_day_idx" ON "search_result_days"("day");

-- CreateIndex
CREATE INDEX "search_openings_day_idx" ON "search_openings"("day");

-- Who has signed in makes a search shown; of a search that many others ask they are found without going through those.
CREATE INDEX "search_askers_users_idx" ON "search_askers" ("query", "day") WHERE is_user;
