-- What became visible between two snapshots, read in one statement and therefore under one snapshot.
-- Ids and commits come in different orders: nothing here relies on id alone. First the transactions
-- alone are put in order, then each one's rows come from the index, which has them in order: rows are
-- wide, and sorting them all cost more than reading them. A row without a transaction carries the
-- snapshot, for a window with nothing in it.
WITH s AS MATERIALIZED (SELECT coalesce(?::pg_snapshot, pg_current_snapshot()) AS cur)
SELECT (SELECT cur FROM s)::text, t.g, o.id, o.captured, o.depth, o.op::text,
  (extract(epoch FROM o.occurred) * 1000000)::bigint, o.old, o.new, o.actor, o.writer
FROM (
  SELECT '0'::xid8 AS txid, NULL::bigint AS g
  UNION ALL
  (SELECT x.txid, max(x.id) FROM (
    SELECT txid, id FROM rowcast.outbox WHERE txid >= pg_snapshot_xmax(?::pg_snapshot)
    UNION ALL
    SELECT txid, id FROM rowcast.outbox WHERE txid = ANY (ARRAY(SELECT pg_snapshot_xip(?::pg_snapshot)))
  ) x WHERE pg_visible_in_snapshot(x.txid, (SELECT cur FROM s))
  GROUP BY x.txid HAVING (max(x.id), max(x.id)) > (?, ?))
  ORDER BY g NULLS FIRST
) t LEFT JOIN LATERAL (SELECT * FROM rowcast.outbox r WHERE r.txid = t.txid ORDER BY r.id) o
  ON (t.g, o.id) > (?, ?)
ORDER BY t.g NULLS FIRST, o.id
