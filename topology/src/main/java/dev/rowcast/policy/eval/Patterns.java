package dev.rowcast.policy.eval;

import dev.rowcast.policy.sql.Expr;
import dev.rowcast.policy.value.Text;

/** {@code LIKE} and {@code ILIKE}. Stateless. */
final class Patterns {
  private static final int BACKSLASH = '\\';

  private Patterns() {}

  static Condition condition(Expr.Like like, int level, Compiler compiler) {
    Operand operand = compiler.operand(like.operand(), level);
    Operand pattern = compiler.operand(like.pattern(), level);
    Operand escape = like.escape() == null ? null : compiler.operand(like.escape(), level);
    return rows -> {
      String text = (String) operand.of(rows);
      String wanted = (String) pattern.of(rows);
      String by = escape == null ? null : (String) escape.of(rows);
      if (text == null || wanted == null || (escape != null && by == null)) {
        return Condition.UNKNOWN;
      }
      int character = by == null ? BACKSLASH : Text.escape(by);
      return Condition.of(
          like.ignoresCase()
              ? Text.like(Text.lower(text), Text.lower(wanted), character)
              : Text.like(text, wanted, character));
    };
  }
}
