-- From version 1, whose outbox was one table: its rows move, with the transactions they belong to.
-- Waits for writers that have added to it and lets others wait meanwhile; the caller sets how long.
LOCK TABLE rowcast.outbox IN ACCESS EXCLUSIVE MODE;
ALTER TABLE rowcast.outbox RENAME TO outbox_of_version_1;
