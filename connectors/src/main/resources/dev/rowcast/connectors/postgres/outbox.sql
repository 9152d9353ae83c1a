-- Exactly what a writer's transaction adds. txid is the top-level transaction, savepoints included.
-- Two slots, which the writers fill in turn: deleting row by row and the vacuum after it cost as
-- much as all the reading, emptying a slot costs nothing. Nothing relies on which slot a row is in.
CREATE SEQUENCE rowcast.outbox_id;
CREATE TABLE rowcast.outbox (
  txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL DEFAULT nextval('rowcast.outbox_id'),
  occurred timestamptz NOT NULL,
  captured int NOT NULL,
  depth smallint NOT NULL, -- of triggers: 1 for a statement of a client
  op "char" NOT NULL, -- i, u, d; r: look at the whole table again
  slot smallint NOT NULL DEFAULT 0,
  old text,
  new text,
  actor text,
  writer text NOT NULL
) PARTITION BY LIST (slot);
CREATE TABLE rowcast.outbox_0 PARTITION OF rowcast.outbox FOR VALUES IN (0) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000
);
CREATE TABLE rowcast.outbox_1 PARTITION OF rowcast.outbox FOR VALUES IN (1) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000
);
CREATE INDEX outbox_txid ON rowcast.outbox (txid, id);
REVOKE ALL ON rowcast.outbox, rowcast.outbox_0, rowcast.outbox_1, rowcast.outbox_id FROM PUBLIC;
