-- One digest of all that capture depends on in the catalog. Asked often, so that what others change
-- (columns, keys, triggers, partitions, names) is noticed without asking for each of it.
WITH wanted AS (
  SELECT c.oid
  FROM unnest(?::text[], ?::text[]) AS w(schema_name, table_name)
  JOIN pg_namespace n ON n.nspname = w.schema_name
  JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.table_name
  UNION SELECT r.relation FROM rowcast.captured r
), relations AS (
  SELECT w.oid FROM wanted w
  UNION SELECT t.relid FROM wanted w CROSS JOIN LATERAL pg_partition_tree(w.oid) t
), lines AS (
  SELECT concat_ws(' ', 'installation', i.epoch) AS line FROM rowcast.installation i
  UNION ALL
  SELECT concat_ws(' ', 'table', c.oid, c.relnamespace, c.relname, c.relkind, c.relowner)
  FROM pg_class c WHERE c.oid IN (SELECT r.oid FROM relations r)
  UNION ALL
  SELECT concat_ws(' ', 'column', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull)
  FROM pg_attribute a
  WHERE a.attrelid IN (SELECT r.oid FROM relations r) AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT concat_ws(' ', 'index', i.indexrelid, i.indkey, i.indisvalid, i.indimmediate)
  FROM pg_index i WHERE i.indrelid IN (SELECT r.oid FROM relations r) AND i.indisunique
  UNION ALL
  SELECT concat_ws(' ', 'trigger', t.tgrelid, t.tgtype, t.tgenabled, t.tgfoid)
  FROM pg_trigger t WHERE t.tgrelid IN (SELECT r.oid FROM relations r) AND NOT t.tgisinternal
)
SELECT md5(coalesce(string_agg(line, chr(10) ORDER BY line), '')) FROM lines
