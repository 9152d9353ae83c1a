package dev.rowcast.standalone.keys;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which node to talk to, and as whom. */
final class NodeOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:ROWCAST_URL:-http://127.0.0.1:8080}",
      description = "where a node serves (default: $ROWCAST_URL, else http://127.0.0.1:8080)")
  private URI url;

  @Option(
      names = "--key",
      paramLabel = "SECRET",
      defaultValue = "${env:ROWCAST_KEY}",
      description =
          "the secret of a key, or a JWT, with events.manage (default: $ROWCAST_KEY, which other"
              + " users of the machine can't read)")
  private @Nullable String key;

  /**
   * The node's keys.
   *
   * @throws CommandLine.ParameterException for options that name no node or no credential
   */
  KeysClient client() {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (url.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--url: " + url + " (expected: such as http://127.0.0.1:8080)");
    }
    if (key == null || key.isBlank()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--key: missing (expected: an administrator's secret, or ROWCAST_KEY in the environment)");
    }
    return new KeysClient(url, key.strip());
  }
}
