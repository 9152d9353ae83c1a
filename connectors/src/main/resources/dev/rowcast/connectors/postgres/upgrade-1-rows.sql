INSERT INTO rowcast.outbox (txid, id, occurred, captured, depth, op, old, new, actor, writer)
SELECT txid, id, occurred, captured, depth, op, old, new, actor, writer
FROM rowcast.outbox_of_version_1 ORDER BY id;
SELECT setval('rowcast.outbox_id', nextval(pg_get_serial_sequence('rowcast.outbox_of_version_1', 'id')));
DROP TABLE rowcast.outbox_of_version_1;
UPDATE rowcast.installation SET version = 2;
