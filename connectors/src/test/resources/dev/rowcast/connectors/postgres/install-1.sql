-- The outbox and the registry of captured tables. Version 1.
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

-- Exactly what a writer's transaction adds. txid is the top-level transaction, savepoints included.
CREATE TABLE rowcast.outbox (
  txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
  occurred timestamptz NOT NULL,
  captured int NOT NULL,
  depth smallint NOT NULL, -- of triggers: 1 for a statement of a client
  op "char" NOT NULL, -- i, u, d; r: look at the whole table again
  old text,
  new text,
  actor text,
  writer text NOT NULL,
  PRIMARY KEY (txid, id)
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000
);

REVOKE ALL ON rowcast.installation, rowcast.captured, rowcast.outbox FROM PUBLIC;
