SELECT t.typtype::text, t.typbasetype, t.typtypmod, t.typcategory::text, t.typelem, t.typrelid,
  t.typnamespace = 'pg_catalog'::regnamespace AS builtin, format_type(t.oid, ?) AS name,
  (SELECT quote_ident(n.nspname)
   FROM pg_opclass oc
   JOIN pg_amop ao ON ao.amopfamily = oc.opcfamily AND ao.amopstrategy = 3
     AND ao.amoplefttype = oc.opcintype AND ao.amoprighttype = oc.opcintype
   JOIN pg_operator op ON op.oid = ao.amopopr
   JOIN pg_namespace n ON n.oid = op.oprnamespace
   WHERE oc.opcintype = t.oid AND oc.opcdefault
     AND oc.opcmethod = (SELECT am.oid FROM pg_am am WHERE am.amname = 'btree')
   LIMIT 1) AS equality_schema
FROM pg_type t WHERE t.oid = ?
