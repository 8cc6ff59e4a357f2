package gatebook.api.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes each log event as one readable line for a terminal: time (RFC 3339, UTC), level, message,
 * and the event's own keys and values as {@code key=value}. The cause of a warning is the last of
 * them; below an error follows the whole indented stack instead.
 *
 * <p>Hidden characters are shown by their names, so that no text in a line controls the terminal.
 */
public final class ReadableLogEncoder extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};
  private static final Pattern BARE = Pattern.compile("[^\\s\"=\\p{Cntrl}]+");

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line =
        new StringBuilder(
            "%-24s %-5s %s"
                .formatted(
                    LogScrubber.time(event),
                    event.getLevel(),
                    VisibleText.of(LogScrubber.message(event))));
    for (KeyValuePair pair :
        Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
      line.append(' ')
          .append(VisibleText.of(pair.key))
          .append('=')
          .append(value(pair.key, pair.value));
    }
    return line.append(thrown(event)).append('\n').toString().getBytes(UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  private static String value(String key, @Nullable Object value) {
    String text = value == null ? "" : LogScrubber.value(key, value);
    return BARE.matcher(text).matches()
        ? text
        : '"'
            + VisibleText.of(new String(JsonStringEncoder.getInstance().quoteAsString(text)))
            + '"';
  }

  private static String thrown(ILoggingEvent event) {
    if (event.getThrowableProxy() == null) {
      return "";
    }
    List<String> stack = LogScrubber.stack(event.getThrowableProxy()).lines().toList();
    return event.getLevel() == Level.ERROR
        ? stack.stream().map(it -> "\n    " + VisibleText.of(it.strip())).collect(joining())
        : " because=" + value("because", stack.getFirst());
  }
}
