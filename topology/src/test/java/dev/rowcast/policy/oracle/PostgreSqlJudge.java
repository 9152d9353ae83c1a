package dev.rowcast.policy.oracle;

import dev.rowcast.policy.oracle.Drawing.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL says of predicates. Belongs to one connection and one thread. */
final class PostgreSqlJudge {
  private static final Pattern CLAIM = Pattern.compile("(?<!:):(c[0-9]+)\\b");

  private final Connection connection;

  PostgreSqlJudge(Connection connection) {
    this.connection = connection;
  }

  /** What became of a row. */
  enum Verdict {
    SEEN,
    HIDDEN,
    FAILS
  }

  /**
   * By row, with claims as parameters whose type PostgreSQL infers; null where it refuses the
   * predicate.
   */
  @Nullable Map<Integer, Verdict> judge(Drawing drawing) throws SQLException {
    try {
      return select(drawing, "");
    } catch (SQLException e) {
      if (isRefusal(e)) {
        return null;
      }
      Map<Integer, Verdict> verdicts = new HashMap<>();
      for (int id : ids()) {
        try {
          verdicts.putAll(select(drawing, " WHERE t.id = " + id));
        } catch (SQLException failed) {
          verdicts.put(id, Verdict.FAILS);
        }
      }
      return verdicts;
    }
  }

  /** Syntax and types, or a literal that is no value of its type. */
  private static boolean isRefusal(SQLException e) {
    return String.valueOf(e.getSQLState()).startsWith("42");
  }

  private List<Integer> ids() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT id FROM t")) {
      List<Integer> ids = new ArrayList<>();
      while (row.next()) {
        ids.add(row.getInt(1));
      }
      return ids;
    }
  }

  private Map<Integer, Verdict> select(Drawing drawing, String where) throws SQLException {
    String sql = CLAIM.matcher(drawing.sql()).replaceAll("?");
    Map<Integer, Verdict> verdicts = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT t.id, (" + sql + ") IS TRUE FROM t" + where)) {
      List<String> order =
          CLAIM.matcher(drawing.sql()).results().map((MatchResult m) -> m.group(1)).toList();
      for (int i = 0; i < order.size(); i++) {
        statement.setObject(i + 1, claim(drawing, order.get(i)).text(), Types.OTHER);
      }
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          verdicts.put(row.getInt(1), row.getBoolean(2) ? Verdict.SEEN : Verdict.HIDDEN);
        }
      }
    }
    return verdicts;
  }

  private static Claim claim(Drawing drawing, String name) {
    return drawing.claims().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * The rows that a role sees under the predicate as a policy; null where reading fails.
   *
   * @param types by claim, the type to cast its text to
   */
  @Nullable Set<Integer> underPolicy(Drawing drawing, Map<String, String> types)
      throws SQLException {
    String sql =
        CLAIM
            .matcher(drawing.sql())
            .replaceAll(
                m ->
                    "(current_setting('claims."
                        + m.group(1)
                        + "')::"
                        + types.get(m.group(1))
                        + ")");
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP POLICY IF EXISTS judged ON t");
      statement.execute("CREATE POLICY judged ON t FOR SELECT TO reader USING (" + sql + ")");
      for (Claim claim : drawing.claims()) {
        try (PreparedStatement set =
            connection.prepareStatement("SELECT set_config(?, ?, false)")) {
          set.setString(1, "claims." + claim.name());
          set.setString(2, claim.text());
          set.execute();
        }
      }
      statement.execute("SET ROLE reader");
      Set<Integer> seen = new TreeSet<>();
      try (ResultSet row = statement.executeQuery("SELECT id FROM t")) {
        while (row.next()) {
          seen.add(row.getInt(1));
        }
        return seen;
      } catch (SQLException e) {
        return null;
      } finally {
        statement.execute("RESET ROLE");
      }
    } catch (SQLException e) {
      return null;
    }
  }
}
