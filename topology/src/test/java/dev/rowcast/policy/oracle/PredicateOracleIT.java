package dev.rowcast.policy.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.rowcast.embedded.EmbeddedPostgreSql;
import dev.rowcast.embedded.PostgreSqlOptions;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.RowEncoder;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.oracle.Drawing.Claim;
import dev.rowcast.policy.oracle.PostgreSqlJudge.Verdict;
import dev.rowcast.policy.sql.Analyser;
import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.sql.Parser;
import dev.rowcast.policy.sql.RefusedException;
import dev.rowcast.policy.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables, rows, claims and predicates: what our compiler shows is exactly what PostgreSQL
 * shows. {@code -Drowcast.seed} replays a run, {@code -Drowcast.oracle.cases} says how many.
 */
class PredicateOracleIT {
  private static final int ROWS = 24;
  private static final int MOST_DIFFERENCES = 20;
  private static final int CASES_PER_TABLE = 100;
  private static EmbeddedPostgreSql postgres;

  private final long seed = Long.getLong("rowcast.seed", System.nanoTime());
  private final int cases = Integer.getInteger("rowcast.oracle.cases", 3_000);
  private final List<String> differences = new ArrayList<>();
  private int judged;
  private int refused;
  private int failing;
  private int leftOut;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    postgres = EmbeddedPostgreSql.start(directory, PostgreSqlOptions.defaults());
    try (Connection connection = postgres.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE DATABASE oracle TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin"
              + " BUILTIN_LOCALE 'C.UTF-8'");
      statement.execute("CREATE ROLE reader");
    }
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @Test
  void everyRowIsSeenExactlyWherePostgreSqlShowsIt() throws Exception {
    System.out.println("PredicateOracleIT: -Drowcast.seed=" + seed);
    try (Connection connection = postgres.connect("oracle")) {
      for (int i = 0; i < cases; i += CASES_PER_TABLE) {
        world(connection, new Random(seed + i));
      }
    }
    System.out.printf(
        "PredicateOracleIT: %d predicates judged, %d with failing rows, %d refused by both%n",
        judged, failing, refused);
    assertEquals(List.of(), differences);
    assertTrue(leftOut <= cases * ROWS / 100, leftOut + " rows where only we fail");
    assertTrue(judged > cases / 2, judged + " of " + cases + " predicates judged");
  }

  private void world(Connection connection, Random random) throws Exception {
    Schema schema = Schema.draw(random);
    Map<Integer, JsonObject> rows;
    FixedRows members = new FixedRows();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601'");
      statement.execute("SET DateStyle = 'ISO, YMD'; SET bytea_output = 'hex'");
      statement.execute("DROP TABLE IF EXISTS t, m");
      create(statement, "t", schema.columns(), ROWS, random);
      create(statement, "m", Schema.MEMBERS, ROWS / 2, random);
      statement.execute("ALTER TABLE t ENABLE ROW LEVEL SECURITY");
      statement.execute("GRANT SELECT ON t, m TO reader");
      rows = read(statement, "t", schema);
      read(statement, "m", schema).values().forEach(row -> members.add(Schema.M, row));
      statement.execute("SET IntervalStyle = 'postgres'");
    }
    Grammar grammar = new Grammar(schema, random);
    PostgreSqlJudge judge = new PostgreSqlJudge(connection);
    for (int i = 0; i < CASES_PER_TABLE; i++) {
      judge(grammar.draw(), schema, rows, members, judge, i % 10 == 0);
    }
  }

  private static void create(
      Statement statement, String table, List<Schema.Drawn> columns, int rows, Random random)
      throws Exception {
    statement.execute(Schema.create(table, columns));
    for (int id = 0; id < rows; id++) {
      statement.addBatch("INSERT INTO " + table + " VALUES " + Schema.values(id, columns, random));
    }
    var unused = statement.executeBatch();
  }

  /** The rows as a source writes them, in events' form. */
  private static Map<Integer, JsonObject> read(Statement statement, String table, Schema schema)
      throws Exception {
    TableId id = new TableId("public", table);
    RowEncoder encoder = new RowEncoder(schema.columns(id).columns());
    Map<Integer, JsonObject> rows = new TreeMap<>();
    try (ResultSet row = statement.executeQuery("SELECT id, row_to_json(r) FROM " + table + " r")) {
      while (row.next()) {
        rows.put(row.getInt(1), encoder.encode(row.getString(2).getBytes(StandardCharsets.UTF_8)));
      }
    }
    return rows;
  }

  private void judge(
      Drawing drawing,
      Schema schema,
      Map<Integer, JsonObject> rows,
      FixedRows members,
      PostgreSqlJudge judge,
      boolean asPolicy)
      throws Exception {
    String about = "seed " + seed + ": " + drawing.sql() + " " + drawing.claims() + schema;
    Map<Integer, Verdict> expected = judge.judge(drawing);
    Map<Integer, Verdict> found = ours(drawing, schema, rows, members);
    if (expected == null || found == null) {
      boolean allFail =
          expected != null && expected.values().stream().allMatch(v -> v == Verdict.FAILS);
      if (found != null || (expected != null && !allFail && !isArithmetic())) {
        differ(
            (found == null ? "only we refuse: " + why : "only PostgreSQL refuses") + ", " + about);
      }
      refused++;
      return;
    }
    judged++;
    failing += expected.containsValue(Verdict.FAILS) ? 1 : 0;
    for (int id : rows.keySet()) {
      if (!agree(expected.get(id), found.get(id), drawing)) {
        differ(
            expected.get(id)
                + " by PostgreSQL, "
                + found.get(id)
                + " by us, "
                + about
                + " row "
                + rows.get(id)
                + " "
                + why);
        break;
      }
    }
    boolean comparable =
        asPolicy && !expected.containsValue(Verdict.FAILS) && !found.containsValue(Verdict.FAILS);
    Set<Integer> shown = comparable ? judge.underPolicy(drawing, inferred) : null;
    if (shown != null) {
      Set<Integer> seen = new TreeSet<>();
      found.forEach((id, verdict) -> seen.addAll(verdict == Verdict.SEEN ? Set.of(id) : Set.of()));
      if (!shown.equals(seen)) {
        differ("as a policy " + shown + ", by us " + seen + ", " + about);
      }
    }
  }

  /**
   * Whether both show the row or both don't. PostgreSQL may leave out what can't change the outcome
   * ({@code … OR true}), where we fail and hide the row; and it may compute for all rows of a
   * subquery what we compute for the ones that are asked for.
   */
  private boolean agree(Verdict expected, Verdict found, Drawing drawing) {
    if (expected == found || (expected == Verdict.FAILS && found == Verdict.HIDDEN)) {
      return true;
    }
    if (found == Verdict.FAILS && isArithmetic()) {
      leftOut++;
      return true;
    }
    return expected == Verdict.FAILS && drawing.sql().contains("SELECT");
  }

  private boolean isArithmetic() {
    return why.matches(".*(division by zero|out of range|overflow|underflow|subtract).*");
  }

  private void differ(String how) {
    differences.add(how);
    if (differences.size() == MOST_DIFFERENCES) {
      fail(String.join("\n", differences));
    }
  }

  private String why = "";

  /** By claim, the type that its place asks for: a policy's claims are cast to it. */
  private final Map<String, String> inferred = new HashMap<>();

  private void infer(Expr expr) {
    if (expr instanceof Expr.Claim claim) {
      inferred.put(claim.path(), claim.type().toString().replace("character", "bpchar"));
    }
    expr.operands().forEach(this::infer);
  }

  private @Nullable Map<Integer, Verdict> ours(
      Drawing drawing, Schema schema, Map<Integer, JsonObject> rows, FixedRows members) {
    Map<String, Object> claims = new HashMap<>();
    for (Claim claim : drawing.claims()) {
      claims.put(claim.name(), claim.value());
    }
    CompiledPredicate predicate;
    try {
      var analysis = Analyser.analyse(Parser.parse(drawing.sql()), Schema.T, "t", schema);
      predicate = CompiledPredicate.compile(analysis.predicate(), members, InstantSource.system());
    } catch (RefusedException | ValueException e) {
      why = e.getMessage();
      return null;
    }
    Map<Integer, Verdict> verdicts = new HashMap<>();
    List<Integer> ids = new ArrayList<>(rows.keySet());
    try {
      CompiledPredicate.Bound bound = predicate.bind(claims::get);
      for (int id : ids) {
        verdicts.put(id, verdict(bound, rows.get(id)));
      }
    } catch (ValueException e) {
      why = e.getMessage();
      ids.forEach(id -> verdicts.put(id, Verdict.FAILS));
    }
    return verdicts;
  }

  private Verdict verdict(CompiledPredicate.Bound bound, JsonObject row) {
    try {
      return bound.test(row) ? Verdict.SEEN : Verdict.HIDDEN;
    } catch (ValueException e) {
      why = e.getMessage();
      return Verdict.FAILS;
    }
  }
}
