package gatebook.api.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes each log event as one line of JSON: {@code timestamp} (RFC 3339, UTC), {@code level} and
 * {@code severity}, {@code message}, {@code logger}, the event's own keys and values, and a {@code
 * stack} when something was thrown.
 *
 * <p>An event's key never replaces one of these. Values that are neither numbers nor booleans are
 * written as text. Secrets and paths are masked in all texts. A value or argument of type {@link
 * Path} is meant for the operator to find: its path is kept, and so are the paths in a message with
 * such an argument.
 */
public final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};
  private static final int LINE_BYTES = 1_024;

  /** A buffer that had a longer line is not kept for the next one. */
  private static final int REUSED_BYTES_MAX = 1 << 16;

  private static final String STACK = "stack";
  private static final Set<String> LINE_KEYS =
      Set.of("timestamp", "level", "severity", "message", "logger");

  private static final JsonMapper JSON = new JsonMapper();

  private final ThreadLocal<Line> lines = ThreadLocal.withInitial(Line::new);

  /** A thread's line, whose buffers the next line reuses, unless a line failed half-way. */
  private static final class Line {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(LINE_BYTES);
    private final JsonGenerator fields;

    Line() {
      try {
        fields = JSON.createGenerator(bytes).setRootValueSeparator(null);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    byte[] encode(ILoggingEvent event) throws IOException {
      bytes.reset();
      fields.writeStartObject();
      write(event, fields);
      fields.writeEndObject();
      fields.flush();
      bytes.write('\n');
      return bytes.toByteArray();
    }
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    byte[] line = NOTHING;
    try {
      line = lines.get().encode(event);
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (line.length == 0 || line.length > REUSED_BYTES_MAX) {
        lines.remove();
      }
    }
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  private static void write(ILoggingEvent event, JsonGenerator fields) throws IOException {
    fields.writeStringField("timestamp", LogScrubber.time(event));
    fields.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    fields.writeStringField("severity", severity(event.getLevel()));
    fields.writeStringField("message", LogScrubber.message(event));
    fields.writeStringField("logger", event.getLoggerName());
    boolean hasStack = event.getThrowableProxy() != null;
    if (hasStack) {
      fields.writeStringField(STACK, LogScrubber.stack(event.getThrowableProxy()));
    }
    List<KeyValuePair> pairs = Objects.requireNonNullElse(event.getKeyValuePairs(), List.of());
    for (int i = 0; i < pairs.size(); i++) {
      KeyValuePair pair = pairs.get(i);
      boolean isTaken = LINE_KEYS.contains(pair.key) || (hasStack && pair.key.equals(STACK));
      if (!isTaken && !hasKey(pairs, i, pair.key)) {
        fields.writeFieldName(pair.key);
        write(pair.key, pair.value, fields);
      }
    }
  }

  /** Whether one of the first pairs has a key. */
  private static boolean hasKey(List<KeyValuePair> pairs, int count, String key) {
    for (int i = 0; i < count; i++) {
      if (pairs.get(i).key.equals(key)) {
        return true;
      }
    }
    return false;
  }

  private static void write(String key, @Nullable Object value, JsonGenerator fields)
      throws IOException {
    switch (value) {
      case null -> fields.writeNull();
      case Integer number -> fields.writeNumber(number);
      case Long number -> fields.writeNumber(number);
      case Number number -> fields.writeObject(number);
      case Boolean truth -> fields.writeBoolean(truth);
      default -> fields.writeString(LogScrubber.value(key, value));
    }
  }

  /** The severity names of log collectors; {@code level} keeps the logger's own names. */
  private static String severity(Level level) {
    return level.equals(Level.WARN)
        ? "WARNING"
        : level.equals(Level.TRACE) ? "DEBUG" : level.toString();
  }
}
