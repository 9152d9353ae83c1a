SELECT a.attname, a.atttypid, a.atttypmod, a.attnotnull
FROM pg_attribute a
WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
