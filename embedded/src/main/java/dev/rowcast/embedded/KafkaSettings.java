package dev.rowcast.embedded;

import java.nio.file.Path;
import java.util.Properties;

/** The broker properties of one small node: one partition of each inner topic, few threads. */
final class KafkaSettings {
  static final int NODE_ID = 1;
  static final String CONTROLLER_LISTENER = "CONTROLLER";
  private static final String BROKER_LISTENER = "BROKER";

  private KafkaSettings() {}

  static Properties of(Path directory, int brokerPort, int controllerPort) {
    Properties p = new Properties();
    node(p, directory, brokerPort, controllerPort);
    innerTopics(p);
    groupsAndTransactions(p);
    footprint(p);
    return p;
  }

  private static void node(Properties p, Path directory, int brokerPort, int controllerPort) {
    String broker = Ports.HOST + ":" + brokerPort;
    String controller = Ports.HOST + ":" + controllerPort;
    p.put("process.roles", "broker,controller");
    p.put("node.id", Integer.toString(NODE_ID));
    // a static voter comes from here at every start, so ports may change between starts
    p.put("controller.quorum.voters", NODE_ID + "@" + controller);
    p.put("controller.listener.names", CONTROLLER_LISTENER);
    p.put(
        "listeners",
        BROKER_LISTENER + "://" + broker + "," + CONTROLLER_LISTENER + "://" + controller);
    p.put("advertised.listeners", BROKER_LISTENER + "://" + broker);
    p.put(
        "listener.security.protocol.map",
        BROKER_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    p.put("inter.broker.listener.name", BROKER_LISTENER);
    p.put("log.dirs", directory.toString());
    p.put("server.max.startup.time.ms", "180000");
    p.put("auto.create.topics.enable", "false");
    p.put("num.partitions", "1");
    p.put("default.replication.factor", "1");
    p.put("message.max.bytes", Integer.toString(10 << 20));
    p.put("replica.fetch.max.bytes", Integer.toString(10 << 20));
  }

  private static void innerTopics(Properties p) {
    for (String topic : new String[] {"offsets.topic", "transaction.state.log"}) {
      p.put(topic + ".replication.factor", "1");
      p.put(topic + ".num.partitions", "1");
      p.put(topic + ".segment.bytes", Integer.toString(16 << 20));
    }
    p.put("transaction.state.log.min.isr", "1");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("share.coordinator.state.topic.num.partitions", "1");
  }

  /** Short waits: nobody else joins, and a process that died must not hold up its successor. */
  private static void groupsAndTransactions(Properties p) {
    p.put("group.initial.rebalance.delay.ms", "0");
    p.put("group.min.session.timeout.ms", "1000");
    p.put("group.consumer.min.session.timeout.ms", "3000");
    p.put("group.consumer.session.timeout.ms", "6000");
    p.put("group.consumer.min.heartbeat.interval.ms", "500");
    p.put("group.consumer.heartbeat.interval.ms", "1500");
    p.put("group.streams.initial.rebalance.delay.ms", "0");
    p.put("add.partitions.to.txn.retry.backoff.ms", "1");
    p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    p.put("broker.session.timeout.ms", "5000");
    p.put("broker.heartbeat.interval.ms", "500");
    p.put("initial.broker.registration.timeout.ms", "120000");
  }

  private static void footprint(Properties p) {
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "4");
    p.put("background.threads", "2");
    p.put("num.recovery.threads.per.data.dir", "1");
    p.put("num.replica.fetchers", "1");
    p.put("group.coordinator.threads", "1");
    p.put("log.cleaner.threads", "1");
    p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
    // compaction is never urgent, and rows on their way are
    p.put("log.cleaner.io.max.bytes.per.second", Integer.toString(8 << 20));
    p.put("log.segment.bytes", Integer.toString(128 << 20));
    p.put("log.index.size.max.bytes", Integer.toString(1 << 20));
    p.put("metadata.log.segment.bytes", Integer.toString(16 << 20));
    p.put("metadata.log.max.record.bytes.between.snapshots", Integer.toString(4 << 20));
    // no heartbeat records into the metadata log while nothing happens
    p.put("metadata.max.idle.interval.ms", "0");
  }
}
