package dev.rowcast.connectors.postgres;

import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.connectors.postgres.ColumnTypes.CatalogColumn;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.StringJoiner;

/**
 * The trigger function of one captured table as SQL text, and the names that go with it. Pure.
 *
 * <p>It is written out per table rather than looking columns up when it runs: its plans are then
 * made once a session. What it must never do is fail, whatever the row, the session's settings or
 * the writer's rights are; an outbox that can't be written is the one exception.
 */
final class CaptureFunction {
  /** PostgreSQL's limit for names and channels, in bytes. */
  private static final int MAX_NAME_BYTES = 63;

  private CaptureFunction() {}

  /** {@code CREATE OR REPLACE FUNCTION} for the table with that number. */
  static String create(int captured, InspectedTable table, NotifyMode notifyBy) {
    StringJoiner join = new StringJoiner(" AND ");
    for (String name : table.key()) {
      CatalogColumn column = table.column(name);
      String quoted = Sql.identifier(name);
      String equals = column.builtin() ? " = " : " OPERATOR(" + column.equalitySchema() + ".=) ";
      join.add("o." + quoted + equals + "n." + quoted);
    }
    return Sql.CAPTURE.formatted(
        captured, join, Sql.identifier(table.key().get(0)), wake(table, notifyBy));
  }

  private static String wake(InspectedTable table, NotifyMode notifyBy) {
    if (notifyBy != NotifyMode.TRIGGER) {
      return "";
    }
    // One payload for all: PostgreSQL sends equal notifications of a transaction once. A queue that
    // is full would make the commit fail; without a wake the reader only comes a little later.
    return "IF pg_notification_queue_usage() < 0.5 THEN PERFORM pg_notify(%s, %s); END IF;"
        .formatted(
            Sql.literal(channel(table.table().name())), Sql.literal(table.table().toString()));
  }

  /**
   * The channel of a table's wakes: {@code provisa_<table>}, shortened by a hash where too long.
   */
  static String channel(String table) {
    return fit("provisa_", table, "");
  }

  /** The name of the trigger for {@code event}, such as {@code tr_orders_dl_EventInsert}. */
  static String triggerName(String table, String event) {
    return fit("tr_", table, "_dl_Event" + event);
  }

  /** What tells one definition of the function from another. */
  static String digest(String function) {
    return hash(function);
  }

  private static String fit(String prefix, String table, String suffix) {
    int room = MAX_NAME_BYTES - prefix.length() - suffix.length();
    if (bytes(table) <= room) {
      return prefix + table + suffix;
    }
    String hash = "_" + hash(table).substring(0, 12);
    int end = table.length();
    while (bytes(table.substring(0, end)) > room - hash.length()) {
      end = table.offsetByCodePoints(end, -1);
    }
    return prefix + table.substring(0, end) + hash + suffix;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }
}
