-- What an offset must fit: transaction ids of another cluster, timeline or outbox mean nothing here.
SELECT (SELECT system_identifier FROM pg_control_system())::text AS system,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
  (SELECT oid FROM pg_database WHERE datname = current_database())::bigint AS database,
  i.epoch, i.started::text AS started, pg_current_snapshot()::text AS now
FROM rowcast.installation i
