package dev.rowcast.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.rowcast.config.TableConfig.MaskConfig;
import dev.rowcast.event.JsonBytes;
import dev.rowcast.event.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The masks that a configuration can name. All of them leave SQL NULL as it is. */
final class Masks {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Masks() {}

  /** A mask that can't be had as it is configured. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;
    private final String found;
    private final String expected;

    Unusable(String found, String expected) {
      super(found);
      this.found = found;
      this.expected = expected;
    }

    String found() {
      return found;
    }

    String expected() {
      return expected;
    }
  }

  /**
   * @param hashKey the secret that {@code HASH} is keyed with
   * @throws Unusable if the configuration isn't
   */
  static Mask of(MaskConfig config, byte[] hashKey) throws Unusable {
    return switch (config.type()) {
      case NULL -> new Constant("null");
      case CONSTANT -> new Constant(canonical(config.value()));
      case REGEX -> Regex.of(config.pattern(), config.replace());
      case HASH -> new Hash(new SecretKeySpec(hashKey, Hash.ALGORITHM));
      case TRUNCATE -> truncate(config.precision());
    };
  }

  private static String canonical(@Nullable String json) throws Unusable {
    try {
      return JSON.writeValueAsString(JSON.readTree(json == null ? "null" : json));
    } catch (JsonProcessingException e) {
      throw new Unusable("value: '" + json + "'", "JSON");
    }
  }

  private static Mask truncate(@Nullable String precision) throws Unusable {
    String text = precision == null ? "" : precision.strip().toLowerCase(Locale.ROOT);
    if (text.matches("[0-9]{1,9}")) {
      return new TruncateText(Integer.parseInt(text));
    }
    for (TruncateTime.Unit unit : TruncateTime.Unit.values()) {
      if (unit.name().toLowerCase(Locale.ROOT).equals(text)) {
        return new TruncateTime(unit);
      }
    }
    throw new Unusable("precision: '" + precision + "'", "year, month, day, hour or a length");
  }

  private static void writeNull(JsonBytes out) {
    out.ascii("null");
  }

  /** Always the same value: nothing of the row shows, not even whether it has one. */
  record Constant(String json) implements Mask {
    @Override
    public void write(JsonObject row, int i, JsonBytes out) {
      out.raw(json.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * A text with what matches replaced; {@code $1} and {@code \1} stand for groups. By RE2, whose
   * time grows with the text alone: no pattern makes it backtrack.
   */
  static final class Regex implements Mask {
    private final Pattern pattern;
    private final String replacement;

    private Regex(Pattern pattern, String replacement) {
      this.pattern = pattern;
      this.replacement = replacement;
    }

    static Regex of(@Nullable String pattern, @Nullable String replace) throws Unusable {
      if (pattern == null) {
        throw new Unusable("no pattern", "a regular expression");
      }
      String replacement = replace == null ? "" : replace.replaceAll("\\\\([0-9])", "\\$$1");
      try {
        Pattern compiled = Pattern.compile(pattern);
        // fails here rather than on every row: a group that isn't there, a stray $
        Pattern.compile("(?:" + pattern + ")|").matcher("").replaceFirst(replacement);
        return new Regex(compiled, replacement);
      } catch (PatternSyntaxException e) {
        throw new Unusable(
            "pattern: " + e.getDescription() + ": " + e.getPattern(),
            "a regular expression of RE2: no lookaround, no backreference");
      } catch (RuntimeException e) {
        throw new Unusable("replace: '" + replace + "'", "groups that the pattern has");
      }
    }

    @Override
    public void write(JsonObject row, int i, JsonBytes out) {
      if (!row.valueIsString(i)) {
        writeNull(out);
        return;
      }
      String shown;
      try {
        shown = pattern.matcher(row.stringValue(i)).replaceAll(replacement);
      } catch (RuntimeException | StackOverflowError e) {
        writeNull(out); // a text that the pattern can't cope with is not shown
        return;
      }
      out.string(shown);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Regex o
          && pattern.pattern().equals(o.pattern.pattern())
          && replacement.equals(o.replacement);
    }

    @Override
    public int hashCode() {
      return Objects.hash(pattern.pattern(), replacement);
    }
  }

  /**
   * HMAC-SHA256 of a text's UTF-8, or of another value's JSON, in hexadecimal: equal values stay
   * equal, and without the key nobody can try values.
   */
  record Hash(SecretKeySpec key) implements Mask {
    static final String ALGORITHM = "HmacSHA256";
    private static final ThreadLocal<@Nullable Mac> MAC = new ThreadLocal<>();

    @Override
    public void write(JsonObject row, int i, JsonBytes out) {
      if (row.valueIsNull(i)) {
        writeNull(out);
        return;
      }
      byte[] value =
          row.valueIsString(i)
              ? row.stringValue(i).getBytes(StandardCharsets.UTF_8)
              : row.valueBytes(i);
      byte[] hash = digest(value);
      out.raw('"');
      for (byte b : hash) {
        out.raw(Character.forDigit((b >> 4) & 0xf, 16)).raw(Character.forDigit(b & 0xf, 16));
      }
      out.raw('"');
    }

    private byte[] digest(byte[] value) {
      try {
        Mac mac = MAC.get();
        if (mac == null) {
          mac = Mac.getInstance(ALGORITHM);
          MAC.set(mac);
        }
        mac.init(key);
        return mac.doFinal(value);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(ALGORITHM + " is part of every Java", e);
      }
    }

    @Override
    public String toString() {
      return "Hash[***]";
    }
  }

  /** The first characters of a text. */
  record TruncateText(int length) implements Mask {
    @Override
    public void write(JsonObject row, int i, JsonBytes out) {
      if (!row.valueIsString(i)) {
        writeNull(out);
        return;
      }
      String text = row.stringValue(i);
      int points = text.codePointCount(0, text.length());
      out.string(points <= length ? text : text.substring(0, text.offsetByCodePoints(0, length)));
    }
  }

  /** A date or a timestamp at the start of its year, month, day or hour, in its own form. */
  record TruncateTime(Unit unit) implements Mask {
    /** What is kept. */
    enum Unit {
      YEAR,
      MONTH,
      DAY,
      HOUR
    }

    private static final java.util.regex.Pattern FORM =
        java.util.regex.Pattern.compile(
            "([+-]?[0-9]{4,9})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):[0-9:.]*(Z?))?");

    @Override
    public void write(JsonObject row, int i, JsonBytes out) {
      var form = row.valueIsString(i) ? FORM.matcher(row.stringValue(i)) : null;
      if (form == null || !form.matches()) {
        writeNull(out);
        return;
      }
      out.raw('"').ascii(form.group(1)).raw('-');
      out.ascii(unit == Unit.YEAR ? "01" : form.group(2)).raw('-');
      out.ascii(unit == Unit.YEAR || unit == Unit.MONTH ? "01" : form.group(3));
      if (form.group(4) != null) {
        out.raw('T').ascii(unit == Unit.HOUR ? form.group(4) : "00").ascii(":00:00");
        out.ascii(form.group(5));
      }
      out.raw('"');
    }
  }
}
