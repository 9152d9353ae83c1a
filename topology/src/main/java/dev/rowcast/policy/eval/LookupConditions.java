package dev.rowcast.policy.eval;

import dev.rowcast.policy.eval.IndexSpec.KeyColumn;
import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code EXISTS} and {@code IN (SELECT …)}, answered by indexes. Belongs to its compiler. */
final class LookupConditions {
  private final RowLookup lookup;
  private final Compiler compiler;

  LookupConditions(RowLookup lookup, Compiler compiler) {
    this.lookup = lookup;
    this.compiler = compiler;
  }

  /** Finds out whether there is a row for which something more holds. */
  private interface Search {
    boolean any(Rows rows, @Nullable Condition more);
  }

  private Search search(Expr.Lookup of, int level) {
    List<KeyColumn> by = new ArrayList<>();
    Operand[] values = new Operand[of.keys().size()];
    Base[] types = new Base[values.length];
    for (int i = 0; i < values.length; i++) {
      Expr.Key key = of.keys().get(i);
      by.add(keyColumn(key));
      values[i] = compiler.operand(key.outer(), level);
      types[i] = key.on();
    }
    RowIndex index = lookup.index(new IndexSpec(of.table(), by));
    Condition rest =
        of.rest().equals(Expr.Constant.TRUE) ? null : compiler.condition(of.rest(), of.level());
    return (rows, more) -> {
      Object[] key = new Object[values.length];
      for (int i = 0; i < key.length; i++) {
        Object value = values[i].of(rows);
        if (value == null) {
          return false;
        }
        key[i] = Ordering.key(types[i], value);
      }
      return index.any(
          List.of(key),
          found -> {
            Rows inner = rows.inner(found);
            return (rest == null || rest.of(inner) == Condition.TRUE)
                && (more == null || more.of(inner) == Condition.TRUE);
          });
    };
  }

  static KeyColumn keyColumn(Expr.Key key) {
    Expr.Column column = Objects.requireNonNull(Compiler.column(key.inner()), "a key's column");
    return new KeyColumn(column.name(), column.type(), key.on());
  }

  Condition exists(Expr.Exists exists, int level) {
    Search search = search(exists.lookup(), level);
    return rows -> Condition.of(search.any(rows, null));
  }

  Condition in(Expr.InRows in, int level) {
    Search match = search(in.match(), level);
    Operand left = compiler.operand(in.left(), level);
    if (!in.exact()) {
      return rows ->
          left.of(rows) == null ? Condition.UNKNOWN : Condition.of(match.any(rows, null));
    }
    Search all = search(in.all(), level);
    Operand item = compiler.operand(in.item(), in.all().level());
    Condition isNull = rows -> Condition.of(item.of(rows) == null);
    return rows -> {
      if (left.of(rows) == null) {
        return all.any(rows, null) ? Condition.UNKNOWN : Condition.FALSE;
      }
      if (match.any(rows, null)) {
        return Condition.TRUE;
      }
      return all.any(rows, isNull) ? Condition.UNKNOWN : Condition.FALSE;
    };
  }
}
