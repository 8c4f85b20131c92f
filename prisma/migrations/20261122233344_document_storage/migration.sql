-- CreateTable
CREATE TABLE "document_storage" (
    "id" INTEGER NOT NULL,
    "installation" UUID NOT NULL,
    "is_claimed" BOOLEAN NOT NULL,

    CONSTRAINT "document_storage_pkey" PRIMARY KEY ("id")
);
