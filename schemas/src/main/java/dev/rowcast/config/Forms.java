package dev.rowcast.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The forms that texts in a configuration must have, with how to say so. */
final class Forms {
  /** Ends up in names of connectors, topics and metrics. */
  static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  static final String ID_EXPECTED = "1 to 100 letters, digits, '.', '_' or '-'";

  /** May stand in a comma-separated request parameter. */
  static final Pattern TABLE_ID = Pattern.compile("[^\\s,\\p{Cntrl}]{1,200}");

  static final String TABLE_ID_EXPECTED = "1 to 200 characters without white space or comma";

  static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");
  static final String TOPIC_EXPECTED =
      "a Kafka topic's name: 1 to 249 letters, digits, '.', '_' or '-'";

  static final Pattern TOPIC_PREFIX = Pattern.compile("[A-Za-z0-9._-]{0,100}");
  static final String TOPIC_PREFIX_EXPECTED = "at most 100 letters, digits, '.', '_' or '-'";

  static final Pattern SERVERS =
      Pattern.compile("[^\\s,:/]+:[0-9]{1,5}(,[^\\s,:/]+:[0-9]{1,5})*|(\\[[0-9a-fA-F:]+]:[0-9]+)");
  static final String SERVERS_EXPECTED = "host:port, or several separated by commas";

  static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:%-]+");
  static final String HOST_EXPECTED = "a host name or an address";

  /** GraphQL, "Names"; two underscores in front are the language's own. */
  static final Pattern FIELD = Pattern.compile("(?!__)[_A-Za-z][_0-9A-Za-z]*");

  static final String FIELD_EXPECTED = "a GraphQL name: letters, digits and '_', no digit first";

  private static final Set<String> HTTP = Set.of("http", "https");

  private Forms() {}

  /** An absolute http or https URL; null for anything else. */
  static @Nullable URI httpUrl(String text) {
    try {
      URI uri = new URI(text);
      return uri.getScheme() != null && HTTP.contains(uri.getScheme()) && uri.getHost() != null
          ? uri
          : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** Whether a text is what browsers send as {@code Origin}, or {@code *} for any. */
  static boolean isOrigin(String text) {
    URI uri = httpUrl(text);
    return text.equals("*")
        || (uri != null
            && uri.getRawUserInfo() == null
            && uri.getRawPath().isEmpty()
            && uri.getRawQuery() == null
            && uri.getRawFragment() == null);
  }
}
