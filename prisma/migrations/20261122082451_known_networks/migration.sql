-- CreateTable
CREATE TABLE "sign_in_networks" (
    "user_uuid" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_networks_pkey" PRIMARY KEY ("user_uuid","network")
);

-- CreateIndex
CREATE INDEX "sign_in_networks_last_at_idx" ON "sign_in_networks"("last_at");

-- AddForeignKey
ALTER TABLE "sign_in_networks" ADD CONSTRAINT "sign_in_networks_user_uuid_fkey" FOREIGN KEY ("user_uuid") REFERENCES "users"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;
