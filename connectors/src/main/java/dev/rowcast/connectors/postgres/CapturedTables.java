package dev.rowcast.connectors.postgres;

import dev.rowcast.config.TableConfig.NotifyMode;
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
  private final Map<Integer, CapturedTable> leavingByNumber = new HashMap<>();

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
    CapturedTable table = byNumber.get(number);
    return table != null ? table : leavingByNumber.get(number);
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
    InspectedTable inspected =
        inspector.inspect(setting, registered == null ? 0 : registered.relation());
    NotifyMode notifyBy = settings.notifyBy(setting);
    if (notifyBy == NotifyMode.TRIGGER && preparedTransactions) {
      warn("prepared transactions are enabled and forbid NOTIFY in triggers: notify is 'reader'");
      notifyBy = NotifyMode.READER;
    }
    inspected.warnings().forEach(this::warn);
    int number = installer.install(inspected, notifyBy);
    notifyModes.put(setting.table(), notifyBy);
    if (registered == null) {
      LOG.info("{} is captured, key {}", setting.table(), inspected.key());
    }
    know(number, inspected, batch);
  }

  /** Keeps what a table looks like, and tells it where that is new. */
  private CapturedTable know(int number, InspectedTable inspected, Batch batch) {
    CapturedTable table = new CapturedTable(number, inspected, settings.sourceId());
    CapturedTable before = byNumber.put(number, table);
    boolean sameShape = before == null || before.descriptor().equals(table.descriptor());
    TableProgress reached = progress.table(inspected.table());
    TableProgress next = next(reached, inspected.relation(), sameShape);
    if (before == null || !sameShape || !next.equals(reached)) {
      batch.table(table.descriptor(), next);
    }
    return table;
  }

  /** Looks at a table's columns again: a row came that has others. */
  CapturedTable lookAgain(CapturedTable table, Batch batch) throws SQLException {
    TableSetting setting = settings.setting(table.descriptor().table());
    try {
      InspectedTable now = inspector.inspect(setting, table.inspected().relation());
      return now.relation() == table.inspected().relation()
          ? know(table.number(), now, batch)
          : table;
    } catch (CaptureException e) {
      LOG.debug("{} can't be looked at", setting.table(), e);
      return table; // dropped since: what we know of it has to do
    }
  }

  private static TableProgress next(
      @Nullable TableProgress reached, long relation, boolean sameShape) {
    if (reached == null) {
      return TableProgress.of(State.SNAPSHOT, relation);
    }
    if (reached.state() == State.REMOVED || reached.relation() != relation) {
      return TableProgress.of(State.RESYNC, relation);
    }
    if (reached.state() == State.RESYNC) {
      return reached;
    }
    // rows without a column that was added, or with one that was dropped, are taken anew
    return sameShape ? reached : TableProgress.of(State.SNAPSHOT, relation);
  }

  /** Has a table compared with what Kafka has of it. */
  void resync(CapturedTable table, Batch batch) {
    batch.table(table.descriptor(), TableProgress.of(State.RESYNC, table.inspected().relation()));
  }

  private void release(Registered table, Batch batch) throws SQLException {
    try {
      if (!table.triggersGone()) {
        installer.removeTriggers(table);
        LOG.info("{} is captured no more", table.table());
      }
      leaving.add(table);
      byNumber.remove(table.number());
      keepForLastRows(table);
      batch.removed(table.table(), TableProgress.of(State.REMOVED, table.relation()));
    } catch (CaptureException e) {
      warn(e.getMessage());
    }
  }

  /** Rows that were written before the triggers went are still to come. */
  private void keepForLastRows(Registered table) throws SQLException {
    try {
      InspectedTable inspected =
          inspector.inspect(settings.setting(table.table()), table.relation());
      leavingByNumber.put(
          table.number(), new CapturedTable(table.number(), inspected, settings.sourceId()));
    } catch (CaptureException e) {
      LOG.debug("{} can't be looked at", table.table(), e);
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
      leavingByNumber.clear();
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
