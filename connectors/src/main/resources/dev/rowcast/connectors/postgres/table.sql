-- A table by name, or by oid where the name is gone: whether and how it can be captured.
SELECT c.oid, c.relkind::text, c.relpersistence::text, c.oid::regclass::text AS sql_name,
  pg_has_role(c.relowner, 'USAGE') AS owned,
  c.relhassubclass AND c.relkind = 'r' AS inherited
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = ? OR (n.nspname = ? AND c.relname = ?)
ORDER BY n.nspname = ? AND c.relname = ? DESC
LIMIT 1
