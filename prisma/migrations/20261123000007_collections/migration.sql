-- CreateTable
CREATE TABLE "collections" (
    "uuid" UUID NOT NULL,
    "profile_uuid" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collections_pkey" PRIMARY KEY ("uuid")
);

-- CreateTable
CREATE TABLE "collection_servers" (
    "collection_uuid" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "server_uuid" UUID NOT NULL,

    CONSTRAINT "collection_servers_pkey" PRIMARY KEY ("collection_uuid","position")
);

-- CreateIndex
CREATE INDEX "collections_profile_uuid_created_at_idx" ON "collections"("profile_uuid", "created_at");

-- CreateIndex
CREATE INDEX "collection_servers_server_uuid_idx" ON "collection_servers"("server_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "collection_servers_collection_uuid_server_uuid_key" ON "collection_servers"("collection_uuid", "server_uuid");

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_servers" ADD CONSTRAINT "collection_servers_collection_uuid_fkey" FOREIGN KEY ("collection_uuid") REFERENCES "collections"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_servers" ADD CONSTRAINT "collection_servers_server_uuid_fkey" FOREIGN KEY ("server_uuid") REFERENCES "mcp_servers"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;
