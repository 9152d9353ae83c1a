-- A table by name: what decides whether and how it can be captured.
SELECT c.oid, c.relkind::text, c.relpersistence::text, n.nspname, c.relname,
  pg_has_role(c.relowner, 'USAGE') AS owned,
  c.relhassubclass AND c.relkind = 'r' AS inherited
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ? AND c.relname = ?
