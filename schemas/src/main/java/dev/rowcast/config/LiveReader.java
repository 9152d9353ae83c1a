package dev.rowcast.config;

import dev.rowcast.config.OutputConfig.OutputType;
import dev.rowcast.config.SourceConfig.SourceType;
import dev.rowcast.config.TableConfig.LiveConfig;
import dev.rowcast.config.TableConfig.NotifyMode;
import dev.rowcast.source.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code live} of a table and checks that its strategy fits its source. */
final class LiveReader {
  private final Set<String> roles;
  private final Faults faults;

  LiveReader(Set<String> roles, Faults faults) {
    this.roles = roles;
    this.faults = faults;
  }

  /**
   * How a table's changes are had.
   *
   * @param source the table's source; null where it is unknown or faulty
   * @return null where no strategy can be told
   */
  @Nullable LiveConfig read(Section live, @Nullable SourceConfig source) {
    Strategy strategy = live.choice("strategy", "strategy", Strategy.class);
    NotifyMode notify = live.choice("notify", "notify mode", NotifyMode.class);
    String topic = live.text("topic", Forms.TOPIC, Forms.TOPIC_EXPECTED);
    String watermark = live.text("watermark_column");
    Duration interval =
        live.duration(
            "poll_interval",
            LiveConfig.DEFAULT_POLL_INTERVAL,
            Duration.ofMillis(100),
            Duration.ofDays(1));
    boolean acceptNotify = live.flag("accept_notify", false);
    List<OutputConfig> outputs = outputs(live.sections("outputs"));
    live.end();
    if (strategy == null && source != null && !live.has("strategy")) {
      strategy = byDefault(live, source);
    }
    if (strategy == null) {
      return null;
    }
    if (source != null) {
      fits(strategy, live, source);
    }
    if (strategy != Strategy.NATIVE) {
      useless(live, strategy, List.of("notify", "accept_notify"));
    } else {
      useless(live, strategy, List.of("topic"));
      notActedOn(live, "accept_notify", "to be left out: no NOTIFY's payload is taken as a row");
    }
    notActedOn(live, "watermark_column", "to be left out: no table is polled");
    notActedOn(live, "poll_interval", "to be left out: no table is polled");
    notActedOn(
        live, "outputs", "to be left out: nothing is written there, and streams serve every table");
    return new LiveConfig(
        strategy,
        notify == null ? NotifyMode.TRIGGER : notify,
        topic,
        watermark,
        interval,
        acceptNotify,
        outputs);
  }

  private @Nullable Strategy byDefault(Section live, SourceConfig source) {
    return switch (source.type()) {
      case POSTGRESQL -> Strategy.NATIVE;
      case KAFKA -> Strategy.KAFKA;
      case MYSQL, MARIADB, MONGODB -> {
        faults.add(
            live.place().missing("strategy"),
            "missing, and a source of type "
                + source.type().name().toLowerCase(Locale.ROOT)
                + " isn't read itself in this version",
            available(source));
        yield null;
      }
      case FEDERATED -> null; // the source has that fault already
    };
  }

  private void fits(Strategy strategy, Section live, SourceConfig source) {
    Place place = live.placeOf("strategy");
    SourceType type = source.type();
    boolean runs =
        switch (strategy) {
          case NATIVE -> type != SourceType.MONGODB;
          case KAFKA -> true;
          case DEBEZIUM, POLL -> false;
        };
    if (!runs) {
      String what = strategy.wire() + (strategy == Strategy.NATIVE ? " for mongodb" : "");
      String problem = "strategy " + what + " isn't available in this version";
      faults.add(place, problem, available(source));
    } else if (strategy == Strategy.NATIVE && type != SourceType.POSTGRESQL) {
      faults.add(place, "strategy native needs a source of type postgresql", available(source));
    } else if (strategy == Strategy.NATIVE && source.database() == null && source.cdc() != null) {
      faults.add(
          place,
          "strategy native needs the database, and source '" + source.id() + "' has no url",
          "url and username of the source");
    } else if (strategy == Strategy.KAFKA && !live.has("topic") && !hasPrefix(source)) {
      faults.missing(
          live.place(), "topic", "a topic, or cdc.topic_prefix of source '" + source.id() + "'");
    }
  }

  private static boolean hasPrefix(SourceConfig source) {
    return source.cdc() != null && source.cdc().topicPrefix() != null;
  }

  private static String available(SourceConfig source) {
    return switch (source.type()) {
      case POSTGRESQL -> "native or kafka";
      case KAFKA, FEDERATED -> "kafka";
      case MYSQL, MARIADB, MONGODB ->
          "kafka, with a topic that holds the table's rows; native is of postgresql only";
    };
  }

  private void notActedOn(Section live, String key, String expected) {
    if (live.has(key)) {
      faults.notActedOn(live.placeOf(key), expected);
    }
  }

  private void useless(Section live, Strategy strategy, List<String> keys) {
    for (String key : keys) {
      if (live.has(key)) {
        faults.warn(
            live.placeOf(key), "of no use to strategy " + strategy.wire(), "to be left out");
      }
    }
  }

  private List<OutputConfig> outputs(List<Section> sections) {
    List<OutputConfig> outputs = new ArrayList<>();
    for (Section section : sections) {
      OutputConfig output = output(section);
      if (output != null) {
        outputs.add(output);
      }
    }
    return outputs;
  }

  private @Nullable OutputConfig output(Section section) {
    OutputType type = section.choice("type", "output type", OutputType.class);
    String topic = section.text("topic", Forms.TOPIC, Forms.TOPIC_EXPECTED);
    String servers = section.text("bootstrap_servers", Forms.SERVERS, Forms.SERVERS_EXPECTED);
    String keyColumn = section.text("key_column");
    String role = section.reference("as", "role", roles);
    section.end();
    if (type == null) {
      if (!section.has("type")) {
        faults.missing(section.place(), "type", "sse or kafka");
      }
      return null;
    }
    switch (type) {
      case SSE -> {
        for (String key : List.of("topic", "bootstrap_servers", "key_column", "as")) {
          if (section.has(key)) {
            faults.add(section.placeOf(key), "an output of type sse has none", "type: kafka");
          }
        }
      }
      case KAFKA -> {
        if (!section.has("topic")) {
          faults.missing(section.place(), "topic", Forms.TOPIC_EXPECTED);
        }
        if (!section.has("as")) {
          faults.warn(
              section.place().missing("as"),
              "missing, so this output is unfiltered: every row, every column, no mask",
              "the role whose rights filter it");
        }
      }
    }
    return new OutputConfig(type, topic, servers, keyColumn, role);
  }
}
