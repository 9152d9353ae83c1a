package dev.rowcast.policy;

import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.explain.Explanation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one configuration, compiled. The same policy serves every outlet. Immutable,
 * thread-safe; a changed configuration is another policy.
 */
public interface Policy {

  /** All that an identity may see. A role that the configuration doesn't know sees nothing. */
  View view(Identity identity);

  /**
   * Why an identity sees a row or doesn't, by the rights that it has now. By default as far as a
   * view alone tells. Nothing is counted.
   *
   * @param key the row's key columns
   * @param row the image that is judged; null where the row is gone
   */
  default Explanation explain(
      Identity identity, TableId table, JsonObject key, @Nullable JsonObject row) {
    boolean visible =
        view(identity).access(table).map(to -> row == null || to.rows().test(row)).orElse(false);
    return new Explanation(Explanation.Access.NOT_TOLD, visible, List.of(), List.of());
  }
}
