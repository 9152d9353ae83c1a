-- The unique indexes that can serve as a key, the best first.
SELECT i.indisprimary, NOT i.indimmediate AS deferrable, k.columns
FROM pg_index i CROSS JOIN LATERAL (
  SELECT array_agg(a.attname::text ORDER BY u.position) AS columns, bool_and(a.attnotnull) AS complete
  FROM unnest(i.indkey) WITH ORDINALITY u(attnum, position)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.attnum
  WHERE u.position <= i.indnkeyatts
) k
WHERE i.indrelid = ? AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
  AND k.complete
ORDER BY i.indisprimary DESC, i.indimmediate DESC, i.indnkeyatts, i.indexrelid
