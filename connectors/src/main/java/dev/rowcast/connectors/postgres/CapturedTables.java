package dev.rowcast.connectors.postgres;

import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.connectors.postgres.Installer.Installed;
import dev.rowcast.connectors.postgres.Installer.Registered;
import dev.rowcast.connectors.postgres.TableProgress.State;
import dev.rowcast.event.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that a session captures: brings the database to what the configuration says, and knows
 * what each table looks like. Used by the task's thread only.
 */
final class CapturedTables {
  private static final Logger LOG = LoggerFactory.getLogger(CapturedTables.class);

  private final PostgresSettings settings;
  private final Progress progress;
  private final Installer installer;
  private final TableInspector inspector;
  private final boolean preparedTransactions;
  private final Map<Integer, CapturedTable> byNumber = new HashMap<>();
  private final Map<TableId, NotifyMode> notifyModes = new HashMap<>();
  private final Map<TableId, String> failures = new TreeMap<>();
  private final Set<String> warned = new HashSet<>();
  private final List<Registered> leaving = new ArrayList<>();

  CapturedTables(Connection connection, PostgresSettings settings, Progress progress)
      throws SQLException {
    this.settings = settings;
    this.progress = progress;
    this.installer = new Installer(connection, settings.sourceId());
    this.inspector = new TableInspector(connection);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_setting('max_prepared_transactions')::int > 0")) {
      row.next();
      this.preparedTransactions = row.getBoolean(1);
    }
  }

  Collection<CapturedTable> all() {
    return byNumber.values();
  }

  /** The table of that number; null where it isn't ours. */
  @Nullable CapturedTable table(int number) {
    return byNumber.get(number);
  }

  /** The tables that stand in that state. */
  List<CapturedTable> in(State state) {
    List<CapturedTable> tables = new ArrayList<>();
    for (CapturedTable table : byNumber.values()) {
      TableProgress reached = progress.table(table.descriptor().table());
      if (reached != null && reached.state() == state) {
        tables.add(table);
      }
    }
    return tables;
  }

  NotifyMode notifyBy(TableId table) {
    return notifyModes.getOrDefault(table, NotifyMode.OFF);
  }

  /** Why tables that should be captured are not; null where all are. */
  @Nullable String failure() {
    return failures.isEmpty() ? null : String.join("; ", failures.values());
  }

  /** Makes the outbox where there is something to capture. */
  void installOutbox() throws SQLException, CaptureException {
    if (!settings.tables().isEmpty()) {
      installer.installOutbox();
    }
  }

  /** Whether there is an outbox to read. */
  boolean installed() throws SQLException {
    return installer.installed();
  }

  /** Installs what is missing, removes what isn't wanted, and tells what is new of each table. */
  void refresh(Batch batch) throws SQLException {
    failures.clear();
    Set<TableId> wanted = new HashSet<>();
    Map<TableId, Registered> registered = installer.registered();
    for (TableSetting setting : settings.tables()) {
      wanted.add(setting.table());
      try {
        capture(setting, registered.get(setting.table()), batch);
      } catch (CaptureException e) {
        failures.put(setting.table(), e.getMessage());
        warn(e.getMessage());
      }
    }
    leaving.clear();
    for (Registered table : registered.values()) {
      if (!wanted.contains(table.table())) {
        release(table, batch);
      }
    }
  }

  private void capture(TableSetting setting, @Nullable Registered registered, Batch batch)
      throws SQLException, CaptureException {
    InspectedTable inspected = inspector.inspect(setting);
    NotifyMode notifyBy = settings.notifyBy(setting);
    if (notifyBy == NotifyMode.TRIGGER && preparedTransactions) {
      warn("prepared transactions are enabled and forbid NOTIFY in triggers: notify is 'reader'");
      notifyBy = NotifyMode.READER;
    }
    inspected.warnings().forEach(this::warn);
    Installed installed = installer.install(inspected, notifyBy);
    notifyModes.put(setting.table(), notifyBy);
    CapturedTable table = new CapturedTable(installed.number(), inspected, settings.sourceId());
    CapturedTable before = byNumber.put(table.number(), table);
    boolean sameShape = before == null || before.descriptor().equals(table.descriptor());
    TableProgress reached = progress.table(setting.table());
    TableProgress next = next(reached, inspected.relation(), installed.uncovered(), sameShape);
    if (before == null || !sameShape || !next.equals(reached)) {
      batch.table(table.descriptor(), next);
    }
    if (registered == null) {
      LOG.info("{} is captured, key {}", setting.table(), inspected.key());
    }
  }

  private static TableProgress next(
      @Nullable TableProgress reached, long relation, boolean uncovered, boolean sameShape) {
    if (reached == null) {
      return TableProgress.of(State.SNAPSHOT, relation);
    }
    if (uncovered || reached.state() == State.REMOVED || reached.relation() != relation) {
      return TableProgress.of(State.RESYNC, relation);
    }
    // rows without a column that was added, or with one that was dropped, are taken anew
    return sameShape || reached.state() == State.RESYNC
        ? reached
        : TableProgress.of(State.SNAPSHOT, relation);
  }

  private void release(Registered table, Batch batch) throws SQLException {
    try {
      if (!table.triggersGone()) {
        installer.removeTriggers(table);
        LOG.info("{} is captured no more", table.table());
      }
      leaving.add(table);
      batch.removed(table.table(), TableProgress.of(State.REMOVED, table.relation()));
    } catch (CaptureException e) {
      warn(e.getMessage());
    }
  }

  boolean someLeave() {
    return !leaving.isEmpty();
  }

  /** Forgets the tables that left, once all their rows are out. */
  void forgetLeaving() throws SQLException {
    try {
      installer.forget(leaving);
      leaving.clear();
    } catch (CaptureException e) {
      warn(e.getMessage());
    }
  }

  private void warn(String warning) {
    if (warned.add(warning)) {
      LOG.warn("source {}: {}", settings.sourceId(), warning);
    }
  }
}
