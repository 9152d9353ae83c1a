-- The rows that the demo begins with, for a database that is new: what somebody deleted stays so.
INSERT INTO customers (name, email, region)
SELECT format('%s %s',
         (ARRAY['Ada', 'Bo', 'Chidi', 'Dana', 'Emre', 'Fei', 'Grace', 'Hana'])[1 + n % 8],
         (ARRAY['Meyer', 'Okafor', 'Tanaka', 'Silva', 'Novak'])[1 + n % 5]),
       format('customer%s@example.org', n),
       (ARRAY['emea', 'apac', 'amer'])[1 + n % 3]
FROM generate_series(1, 12) AS n;

INSERT INTO orders (customer_id, amount, region, status)
SELECT c.id, (10 + (c.id * 7919 + n * 104729) % 49000 / 100.0)::numeric(10,2), c.region, 'new'
FROM customers c CROSS JOIN generate_series(1, 4) AS n;

INSERT INTO projects (name)
SELECT name FROM unnest(ARRAY['Apollo', 'Borealis', 'Cassini']) AS name;

INSERT INTO memberships (user_id, project_id)
SELECT m.user_id, p.id
FROM (VALUES ('ada', 'Apollo'), ('ada', 'Borealis'), ('bob', 'Cassini')) AS m (user_id, project)
JOIN projects p ON p.name = m.project;

INSERT INTO tasks (project_id, title)
SELECT p.id, format('%s, step %s', p.name, n)
FROM projects p CROSS JOIN generate_series(1, 3) AS n;
