package gatebook.api.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Redaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Writes each log event as one line of JSON: {@code timestamp} (RFC 3339, UTC), {@code level} and
 * {@code severity}, {@code message}, {@code logger}, the event's own keys and values, and a {@code
 * stack} when something was thrown.
 *
 * <p>A key of an event never takes the place of one of these. Values that are neither numbers nor
 * truth values are written as text. Secrets and paths are taken out of all texts; an argument or a
 * value that is a {@link Path} is one that we want an operator to find, and keeps paths in its
 * message.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};

  /** Ids that were looked at when they came in; a trace id would look like a key. */
  private static final Set<String> IDS = Set.of("correlation_id", "call_id", "trace_id");

  private static final Scrubber SCRUBBER =
      new Scrubber(
          new Redaction(
              List.of(),
              false,
              List.of("GATEBOOK_DB_PASSWORD", "GATEBOOK_SEAL_KEY", "GATEBOOK_TOKEN")),
          List.of(),
          System.getenv());

  private static final Scrubber KEEPING_PATHS = SCRUBBER.keepingPaths();

  private final JsonMapper json = new JsonMapper();

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    try {
      return (json.writeValueAsString(fields(event)) + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  private static Map<String, @Nullable Object> fields(ILoggingEvent event) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    fields.put("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    fields.put("severity", severity(event.getLevel()));
    fields.put("message", message(event));
    fields.put("logger", event.getLoggerName());
    if (event.getThrowableProxy() != null) {
      fields.put("stack", SCRUBBER.scrub(ThrowableProxyUtil.asString(event.getThrowableProxy())));
    }
    for (KeyValuePair pair :
        Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
      fields.putIfAbsent(pair.key, plain(pair.key, pair.value));
    }
    return fields;
  }

  /** The names that collectors of logs sort by; {@code level} keeps the logger's own. */
  private static String severity(Level level) {
    return level.equals(Level.WARN)
        ? "WARNING"
        : level.equals(Level.TRACE) ? "DEBUG" : level.toString();
  }

  private static String message(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    boolean ours = arguments != null && Arrays.stream(arguments).anyMatch(Path.class::isInstance);
    return (ours ? KEEPING_PATHS : SCRUBBER).scrub(event.getFormattedMessage());
  }

  private static @Nullable Object plain(String key, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Number number -> number;
      case Boolean truth -> truth;
      case Path path -> KEEPING_PATHS.scrub(path.toString());
      default ->
          IDS.contains(key) ? String.valueOf(value) : SCRUBBER.scrub(key, String.valueOf(value));
    };
  }
}
