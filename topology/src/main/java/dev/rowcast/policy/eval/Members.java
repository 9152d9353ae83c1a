package dev.rowcast.policy.eval;

import dev.rowcast.policy.value.Ordering;
import dev.rowcast.policy.value.SqlType.Base;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an array that is an argument holds.
 *
 * @param on the type that its elements compare as
 * @param keys the elements that aren't null, as {@link Ordering#key} makes them
 */
record Members(Base on, Set<Object> keys, boolean hasNull, boolean isEmpty) {

  static Members of(Base on, Object array) {
    List<?> elements = (List<?>) array;
    Set<Object> keys = new HashSet<>();
    boolean hasNull = false;
    for (Object element : elements) {
      if (element == null) {
        hasNull = true;
      } else {
        keys.add(Ordering.key(on, element));
      }
    }
    return new Members(on, keys, hasNull, elements.isEmpty());
  }

  /** {@code value = ANY (array)}. */
  int in(@Nullable Object value) {
    if (isEmpty) {
      return Condition.FALSE;
    }
    if (value == null) {
      return Condition.UNKNOWN;
    }
    if (keys.contains(Ordering.key(on, value))) {
      return Condition.TRUE;
    }
    return hasNull ? Condition.UNKNOWN : Condition.FALSE;
  }
}
