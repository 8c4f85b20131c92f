-- CreateTable
CREATE TABLE "sample_profiles" (
    "profile_uuid" UUID NOT NULL,
    "person" TEXT,
    "days_done" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sample_profiles_pkey" PRIMARY KEY ("profile_uuid")
);

-- CreateIndex
CREATE UNIQUE INDEX "sample_profiles_person_key" ON "sample_profiles"("person");

-- AddForeignKey
ALTER TABLE "sample_profiles" ADD CONSTRAINT "sample_profiles_profile_uuid_fkey" FOREIGN KEY ("profile_uuid") REFERENCES "profiles"("uuid") ON DELETE CASCADE ON UPDATE CASCADE;
