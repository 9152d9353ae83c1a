-- The outbox and the registry of captured tables. Version 2; the outbox itself is in outbox.sql.
CREATE SCHEMA rowcast;
REVOKE ALL ON SCHEMA rowcast FROM PUBLIC;
COMMENT ON SCHEMA rowcast IS 'Rowcast: row changes on their way to Kafka. Leave its data out of dumps.';

-- One row. The epoch names this outbox: an offset of another one doesn't fit.
CREATE TABLE rowcast.installation (
  version int NOT NULL,
  source text NOT NULL,
  epoch text NOT NULL DEFAULT gen_random_uuid()::text,
  started pg_snapshot NOT NULL DEFAULT pg_current_snapshot()
);

CREATE TABLE rowcast.captured (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schema_name text NOT NULL,
  table_name text NOT NULL,
  relation oid NOT NULL,
  definition text NOT NULL, -- a digest of the function's text: another one is an upgrade
  UNIQUE (schema_name, table_name)
);

REVOKE ALL ON rowcast.installation, rowcast.captured FROM PUBLIC;
