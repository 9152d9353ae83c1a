-- One function per captured table; %1$s its number, %2$s the join of old and new by key, %3$s a key
-- column, %4$s the wake. Names of variables are qualified and rows are passed as x.*: a column of
-- the table may have any name. No nested loops: a plan made for one row also serves a million.
CREATE OR REPLACE FUNCTION rowcast.capture_%1$s() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET "TimeZone" = 'UTC'
SET "DateStyle" = 'ISO, YMD'
SET "IntervalStyle" = 'iso_8601'
SET extra_float_digits = 1
SET bytea_output = 'hex'
SET lc_monetary = 'C'
SET enable_nestloop = off
AS $rowcast$
#variable_conflict use_variable
<<capture>>
DECLARE
  made CONSTANT timestamptz := clock_timestamp();
  depth CONSTANT smallint := pg_trigger_depth();
  actor CONSTANT text := nullif(current_setting('rowcast.actor', true), '');
  writer CONSTANT text := session_user;
  slot CONSTANT smallint := date_part('epoch', made)::bigint / 4 %% 2; -- as OutboxTrimmer has it
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO rowcast.outbox (occurred, captured, depth, op, slot, new, actor, writer)
    SELECT capture.made, %1$s, capture.depth, 'i', capture.slot, row_to_json(n.*)::text,
      capture.actor, capture.writer
    FROM rowcast_new n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO rowcast.outbox (occurred, captured, depth, op, slot, old, new, actor, writer)
    SELECT capture.made, %1$s, capture.depth,
      CASE WHEN o.%3$s IS NULL THEN 'i' WHEN n.%3$s IS NULL THEN 'd' ELSE 'u' END::"char", capture.slot,
      CASE WHEN o.%3$s IS NOT NULL THEN row_to_json(o.*)::text END,
      CASE WHEN n.%3$s IS NOT NULL THEN row_to_json(n.*)::text END,
      capture.actor, capture.writer
    FROM rowcast_old o FULL JOIN rowcast_new n ON %2$s
    ORDER BY n.%3$s IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO rowcast.outbox (occurred, captured, depth, op, slot, old, actor, writer)
    SELECT capture.made, %1$s, capture.depth, 'd', capture.slot, row_to_json(o.*)::text,
      capture.actor, capture.writer
    FROM rowcast_old o;
  ELSE
    EXECUTE format(
      'INSERT INTO rowcast.outbox (occurred, captured, depth, op, slot, old, actor, writer) '
      'SELECT $1, %1$s, $2, ''d'', $3, row_to_json(t.*)::text, $4, $5 FROM %%s t', TG_RELID::regclass)
      USING capture.made, capture.depth, capture.slot, capture.actor, capture.writer;
    IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
      -- TRUNCATE removes rows that an older snapshot doesn't show
      INSERT INTO rowcast.outbox (occurred, captured, depth, op, slot, actor, writer)
      VALUES (capture.made, %1$s, capture.depth, 'r', capture.slot, capture.actor, capture.writer);
    END IF;
  END IF;
  %4$s
  RETURN NULL;
END
$rowcast$
