-- What became visible between two snapshots, read in one statement and therefore under one snapshot.
-- Ids and commits come in different orders: nothing here relies on id alone.
WITH s AS MATERIALIZED (SELECT coalesce(?::pg_snapshot, pg_current_snapshot()) AS cur)
SELECT s.cur::text, o.g, o.id, o.captured, o.depth, o.op::text,
  (extract(epoch FROM o.occurred) * 1000000)::bigint, o.old, o.new, o.actor, o.writer
FROM s LEFT JOIN LATERAL (
  SELECT x.*, max(x.id) OVER (PARTITION BY x.txid) AS g FROM (
    SELECT * FROM rowcast.outbox WHERE txid >= pg_snapshot_xmax(?::pg_snapshot)
    UNION ALL
    SELECT * FROM rowcast.outbox WHERE txid = ANY (ARRAY(SELECT pg_snapshot_xip(?::pg_snapshot)))
  ) x WHERE pg_visible_in_snapshot(x.txid, s.cur)
) o ON (o.g, o.id) > (?, ?)
ORDER BY o.g, o.id
