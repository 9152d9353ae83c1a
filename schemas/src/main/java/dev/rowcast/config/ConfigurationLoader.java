package dev.rowcast.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code rowcast.yaml}: all of it or nothing. Every fault is told at once, with its place and
 * its mend, so that one round of editing is enough. What may be written is described in {@code
 * config.schema.json} and {@code docs/configuration.md}. Immutable; thread-safe.
 */
public final class ConfigurationLoader {
  /** Top-level keys of versions to come. */
  private static final List<String> UNAVAILABLE = List.of("sinks", "webhooks", "graphql");

  private final Map<String, String> environment;
  private final RuleChecker checker;

  /** Replaces {@code ${env:…}} from this process's environment. */
  public ConfigurationLoader() {
    this(System.getenv());
  }

  /** Replaces {@code ${env:…}} from {@code environment}. */
  public ConfigurationLoader(Map<String, String> environment) {
    this(environment, any -> List.of());
  }

  private ConfigurationLoader(Map<String, String> environment, RuleChecker checker) {
    this.environment = Map.copyOf(environment);
    this.checker = checker;
  }

  /** A loader that has rules and masks checked, too, and tells their faults beside the others. */
  public ConfigurationLoader checking(RuleChecker rules) {
    return new ConfigurationLoader(environment, rules);
  }

  /**
   * The configuration in a file.
   *
   * @throws InvalidConfigurationException if it can't be read or has any fault
   */
  public LoadedConfiguration load(Path file) throws InvalidConfigurationException {
    String name = file.toString();
    Faults faults = new Faults(name);
    try {
      String yaml =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
              .toString();
      return load(name, yaml);
    } catch (CharacterCodingException e) {
      faults.add(Place.FILE, "not UTF-8", "a text file in UTF-8");
    } catch (IOException e) {
      faults.add(
          Place.FILE,
          Files.exists(file) ? "can't be read" : "no such file",
          "a readable rowcast.yaml");
    }
    throw faults.asException();
  }

  /**
   * The configuration in a text.
   *
   * @param name what faults name as the file
   * @throws InvalidConfigurationException if it has any fault
   */
  public LoadedConfiguration load(String name, String yaml) throws InvalidConfigurationException {
    Faults faults = new Faults(name);
    YamlReader reader = new YamlReader(new EnvironmentVariables(environment, faults), faults);
    Yaml document = reader.read(yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml);
    Configuration configuration = null;
    if (document instanceof Yaml.Mapping root) {
      configuration = configuration(new Section(root, faults), faults);
    } else if (!faults.any()) {
      faults.add(
          document == null ? Place.FILE : document.place(),
          document == null ? "empty" : document.described(),
          "a mapping with at least sources");
    }
    if (faults.any() || configuration == null) {
      throw faults.asException();
    }
    return new LoadedConfiguration(configuration, faults.warnings());
  }

  /**
   * A running configuration with the {@code roles}, {@code rls_rules} and {@code tables} (of these
   * {@code id} and {@code columns}) that a text proposes; what it leaves out stays as it is.
   *
   * @param name what faults name as the file
   * @param yaml YAML, or JSON
   * @throws InvalidConfigurationException if it has any fault
   */
  public Configuration propose(Configuration running, String name, String yaml)
      throws InvalidConfigurationException {
    Faults faults = new Faults(name);
    YamlReader reader = new YamlReader(new EnvironmentVariables(environment, faults), faults);
    Yaml document = reader.read(yaml);
    Configuration proposed = running;
    if (document instanceof Yaml.Mapping root) {
      proposed = new ProposalReader(running, faults).read(new Section(root, faults));
    } else if (document != null && !faults.any()) {
      faults.add(document.place(), document.described(), "a mapping with rls_rules, roles, tables");
    }
    if (faults.any()) {
      throw faults.asException();
    }
    return proposed;
  }

  private Configuration configuration(Section root, Faults faults) {
    NodeReader node = new NodeReader(faults, environment);
    ServerConfig server = node.server(root.sectionOrEmpty("server"));
    KafkaConfig kafka = node.kafka(root.sectionOrEmpty("kafka"));
    ConnectConfig connect = node.connect(root.sectionOrEmpty("connect"));
    Secret secret = node.secret(root);
    Section authSection = root.sectionOrEmpty("auth");

    RulePlaces places = new RulePlaces();
    RuleReader rules = new RuleReader(places, faults);
    Map<String, RoleConfig> roles = rules.roles(root.sections("roles"));
    AuthConfig auth = node.auth(authSection, roles.keySet());
    List<Section> sourceSections = root.sections("sources");
    if (!root.has("sources")) {
      faults.missing(root.place(), "sources", "at least one source");
    }
    Sources sources = sources(sourceSections, faults);
    TableReader tables = new TableReader(sources.byId, roles.keySet(), places, faults);
    sources.nested.forEach((table, source) -> tables.read(table, source));
    root.sections("tables").forEach(table -> tables.read(table, null));
    List<RelationshipConfig> relationships =
        rules.relationships(root.sections("relationships"), tables.ids());
    List<RlsRuleConfig> rlsRules =
        rules.rlsRules(root.sections("rls_rules"), tables.ids(), roles.keySet());
    UNAVAILABLE.forEach(root::refuse);
    root.end();
    if (root.has("relationships")) {
      faults.notActedOn(root.placeOf("relationships"), "to be kept only for what is to come");
    }
    if (roles.size() > 1) {
      tables.warnOfUnruled(
          rlsRules.stream().map(RlsRuleConfig::tableId).collect(Collectors.toSet()));
    }

    List<SourceConfig> found = new ArrayList<>();
    sources.byId.values().forEach(source -> add(source, found));
    Configuration configuration =
        new Configuration(
            server,
            kafka,
            connect,
            secret,
            auth,
            found,
            tables.tables(),
            relationships,
            List.copyOf(roles.values()),
            rlsRules);
    for (RuleFault fault : checker.check(readable(configuration))) {
      faults.add(places.of(fault), fault.problem(), fault.expected());
    }
    return configuration;
  }

  /** Without the rules of tables that couldn't be read. */
  private static Configuration readable(Configuration configuration) {
    Set<String> tables =
        configuration.tables().stream().map(TableConfig::id).collect(Collectors.toSet());
    return configuration.withRlsRules(
        configuration.rlsRules().stream().filter(rule -> tables.contains(rule.tableId())).toList());
  }

  private static void add(@Nullable SourceConfig source, List<SourceConfig> sources) {
    if (source != null) {
      sources.add(source);
    }
  }

  /** Sources by id (null for a faulty one) and the tables that stand inside them. */
  private record Sources(
      Map<String, @Nullable SourceConfig> byId, Map<Section, @Nullable String> nested) {}

  private static Sources sources(List<Section> sections, Faults faults) {
    Sources sources = new Sources(new LinkedHashMap<>(), new LinkedHashMap<>());
    SourceReader reader = new SourceReader(faults);
    for (Section section : sections) {
      String id = section.text("id", Forms.ID, Forms.ID_EXPECTED);
      if (!section.has("id")) {
        faults.missing(section.place(), "id", Forms.ID_EXPECTED);
      }
      SourceConfig source = reader.read(id, section);
      List<Section> tables = section.sections("tables");
      section.end();
      if (id != null && sources.byId.containsKey(id)) {
        faults.add(section.placeOf("id"), "source id '" + id + "' again", "an id of its own");
      } else if (id != null) {
        sources.byId.put(id, source);
      }
      // a nested table of a source without id: its own faults are worth telling all the same
      tables.forEach(table -> sources.nested.put(table, id == null ? "" : id));
    }
    return sources;
  }
}
