-- What a dump calls its kind of package is not to be read back as anything else. Rows that were written before are made sound first.
UPDATE "mcp_servers" SET "package_type" = NULL WHERE "package_type" NOT IN ('npm', 'pypi', 'docker');
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_package_type_check" CHECK ("package_type" IN ('npm', 'pypi', 'docker'));
