package dev.rowcast.config;

import dev.rowcast.event.TableId;
import dev.rowcast.source.Strategy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is captured: an entry of {@code tables}.
 *
 * @param id what rules and relationships refer to, and a name that requests may use
 * @param sourceId where it comes from
 * @param table its schema and name in the source and in events
 * @param keyColumns the key where the database has none or the source can't tell; empty otherwise
 * @param columns what is known or ruled of columns; those not listed are visible to every role
 * @param live how its changes are had
 */
public record TableConfig(
    String id,
    String sourceId,
    TableId table,
    List<String> keyColumns,
    List<ColumnConfig> columns,
    LiveConfig live) {
  public TableConfig {
    keyColumns = List.copyOf(keyColumns);
    columns = List.copyOf(columns);
  }

  /**
   * What is known or ruled of one column.
   *
   * @param name the column
   * @param dataType its SQL type; null where the source knows it
   * @param visibleTo the roles that see it; null for all
   * @param mask what the others see instead; null for none
   */
  public record ColumnConfig(
      String name,
      @Nullable String dataType,
      @Nullable List<String> visibleTo,
      @Nullable MaskConfig mask) {
    public ColumnConfig {
      visibleTo = visibleTo == null ? null : List.copyOf(visibleTo);
    }
  }

  /**
   * What a masked column shows.
   *
   * @param type which mask
   * @param pattern of {@code REGEX}: what is replaced
   * @param replace of {@code REGEX}: by what
   * @param value of {@code CONSTANT}: JSON text
   * @param precision of {@code TRUNCATE}: a unit for dates, a length for texts
   * @param unmaskedTo the roles that see the value as it is
   */
  public record MaskConfig(
      MaskType type,
      @Nullable String pattern,
      @Nullable String replace,
      @Nullable String value,
      @Nullable String precision,
      List<String> unmaskedTo) {
    public MaskConfig {
      unmaskedTo = List.copyOf(unmaskedTo);
    }
  }

  /** The kinds of mask. */
  public enum MaskType {
    REGEX,
    CONSTANT,
    NULL,
    HASH,
    TRUNCATE
  }

  /**
   * How changes are had: {@code live}.
   *
   * @param strategy how
   * @param notifyBy ({@code notify} in the file) who calls {@code pg_notify}; of {@code native} on
   *     PostgreSQL
   * @param topic the topic of {@code kafka}; null where it follows from the source
   * @param watermarkColumn what {@code poll} and the fallback order by; null for none
   * @param pollInterval how often {@code poll} looks
   * @param acceptNotify whether the payload of another program's NOTIFY is taken as a row; of
   *     {@code native} on a table without trigger
   * @param outputs where changes go besides {@code events}, each with its own watermark
   */
  public record LiveConfig(
      Strategy strategy,
      NotifyMode notifyBy,
      @Nullable String topic,
      @Nullable String watermarkColumn,
      Duration pollInterval,
      boolean acceptNotify,
      List<OutputConfig> outputs) {
    /** How often {@code poll} looks unless the file says so. */
    public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(30);

    public LiveConfig {
      outputs = List.copyOf(outputs);
    }

    /** Without outputs, and other programs' payloads not taken. */
    public LiveConfig(
        Strategy strategy,
        NotifyMode notifyBy,
        @Nullable String topic,
        @Nullable String watermarkColumn,
        Duration pollInterval) {
      this(strategy, notifyBy, topic, watermarkColumn, pollInterval, false, List.of());
    }
  }

  /** Who wakes listeners on {@code provisa_<table>}. */
  public enum NotifyMode {
    TRIGGER,
    READER,
    OFF
  }
}
