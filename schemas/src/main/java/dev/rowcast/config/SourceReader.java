package dev.rowcast.config;

import dev.rowcast.config.SourceConfig.CdcConfig;
import dev.rowcast.config.SourceConfig.DatabaseConfig;
import dev.rowcast.config.SourceConfig.SourceType;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads an entry of {@code sources}. */
final class SourceReader {
  private static final Pattern USER_IN_URL =
      Pattern.compile("//[^/?]*@|[?&](user|password)=", Pattern.CASE_INSENSITIVE);
  private static final List<String> CONNECTION =
      List.of("url", "host", "port", "database", "username", "password");

  private final Faults faults;

  SourceReader(Faults faults) {
    this.faults = faults;
  }

  /** The source; null where it has a fault. Its nested tables are left to the caller. */
  @Nullable SourceConfig read(@Nullable String id, Section source) {
    SourceType type = source.choice("type", "source type", SourceType.class);
    if (type == null && !source.has("type")) {
      faults.missing(source.place(), "type", "postgresql, kafka, mysql, mariadb or mongodb");
    }
    CdcConfig cdc = cdc(source.section("cdc"));
    DatabaseConfig database = type == null ? ignored(source) : database(source, type);
    if (type == SourceType.FEDERATED) {
      faults.add(
          source.placeOf("type"),
          "source type federated isn't available in this version",
          "postgresql, kafka, mysql, mariadb or mongodb");
    }
    if (type == SourceType.POSTGRESQL && database == null && cdc == null && !connects(source)) {
      faults.missing(source.place(), "url", "jdbc:postgresql://host:port/database");
    }
    return id == null || type == null ? null : new SourceConfig(id, type, database, cdc);
  }

  private static boolean connects(Section source) {
    return source.has("url") || source.has("host");
  }

  private static @Nullable DatabaseConfig ignored(Section source) {
    CONNECTION.forEach(source::has);
    return null;
  }

  private @Nullable DatabaseConfig database(Section source, SourceType type) {
    if (type == SourceType.KAFKA) {
      for (String key : CONNECTION) {
        if (source.has(key)) {
          faults.add(
              source.placeOf(key), "a source of type kafka has none", "cdc.bootstrap_servers");
        }
      }
      return null;
    }
    String given = source.text("url");
    String composed = composed(source, type);
    String username = source.text("username");
    String password = source.text("password");
    if (!connects(source)) {
      return null;
    }
    if (source.has("url") && source.has("host")) {
      faults.add(source.placeOf("host"), "beside url", "either url or host, port and database");
    }
    String url = given == null ? composed : checked(given, source, type);
    if (!source.has("username")) {
      faults.missing(source.place(), "username", "who connects to the database");
    }
    return url == null || username == null
        ? null
        : new DatabaseConfig(url, username, new Secret(password == null ? "" : password));
  }

  private @Nullable String checked(String url, Section source, SourceType type) {
    String scheme = scheme(type);
    if (USER_IN_URL.matcher(url).find()) {
      faults.add(
          source.placeOf("url"),
          "has a user or a password in it",
          "username and password as keys of their own");
      return null;
    }
    if (!url.startsWith(scheme) || url.length() == scheme.length()) {
      faults.add(source.placeOf("url"), "'" + url + "'", scheme + "host:port/database");
      return null;
    }
    return url;
  }

  private @Nullable String composed(Section source, SourceType type) {
    String host = source.text("host", Forms.HOST, Forms.HOST_EXPECTED);
    int port = source.number("port", port(type), 1, 65535);
    String database = source.text("database");
    if (!source.has("host")) {
      for (String key : List.of("port", "database")) {
        if (source.has(key)) {
          faults.add(source.placeOf(key), "without host", "host, port and database together");
        }
      }
      return null;
    }
    if (!source.has("database") && !source.has("url")) {
      faults.missing(source.place(), "database", "the database's name");
    }
    if (host == null || database == null) {
      return null;
    }
    return scheme(type)
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + port
        + "/"
        + database;
  }

  private static String scheme(SourceType type) {
    return switch (type) {
      case MONGODB -> "mongodb://";
      case POSTGRESQL, MYSQL, MARIADB, KAFKA, FEDERATED ->
          "jdbc:" + type.name().toLowerCase(Locale.ROOT) + "://";
    };
  }

  private static int port(SourceType type) {
    return switch (type) {
      case POSTGRESQL -> 5432;
      case MYSQL, MARIADB -> 3306;
      case MONGODB -> 27017;
      case KAFKA, FEDERATED -> 1;
    };
  }

  private @Nullable CdcConfig cdc(@Nullable Section cdc) {
    if (cdc == null) {
      return null;
    }
    String servers = cdc.text("bootstrap_servers", Forms.SERVERS, Forms.SERVERS_EXPECTED);
    String prefix = cdc.text("topic_prefix", Forms.TOPIC, Forms.TOPIC_EXPECTED);
    URI registry =
        NodeReader.url(cdc, "schema_registry_url", "http://schema-registry:8081", faults);
    cdc.end();
    if (cdc.has("bootstrap_servers")) {
      faults.notActedOn(
          cdc.placeOf("bootstrap_servers"),
          "to be left out: topics are read from kafka.bootstrap_servers");
    }
    if (cdc.has("schema_registry_url")) {
      faults.notActedOn(cdc.placeOf("schema_registry_url"), "to be left out: topics hold JSON");
    }
    return new CdcConfig(servers, prefix, registry == null ? null : registry.toString());
  }
}
