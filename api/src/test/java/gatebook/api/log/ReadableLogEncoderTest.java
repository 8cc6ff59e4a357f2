package gatebook.api.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;

final class ReadableLogEncoderTest {

  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.006Z");

  @Test
  void anEventIsOneLineWithItsKeys() {
    LoggingEvent event = event(Level.INFO, "serving", null);
    event.addKeyValuePair(new KeyValuePair("callers", "http://127.0.0.1:7467"));
    event.addKeyValuePair(new KeyValuePair("position", 7L));
    event.addKeyValuePair(new KeyValuePair("file", Path.of("/srv/my rules.yaml")));
    event.addKeyValuePair(new KeyValuePair("nobody", null));

    assertThat(line(event))
        .isEqualTo(
            "2026-01-02T03:04:05.006Z INFO  serving callers=http://127.0.0.1:7467 position=7"
                + " file=\"/srv/my rules.yaml\" nobody=\"\"\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a b | \"a b\"",
        "a=b | \"a=b\"",
        "say \"x\" | \"say \\\"x\\\"\"",
        "a\u001b[2Jb | a⟨U+001B⟩[2Jb",
        "a\u007fb | a⟨U+007F⟩b",
        "ä€ | ä€",
      })
  void aValueThatIsMoreThanOneWordIsQuoted(String value, String written) {
    LoggingEvent event = event(Level.WARN, "x", null);
    event.addKeyValuePair(new KeyValuePair("tool", value));

    assertThat(line(event)).isEqualTo("2026-01-02T03:04:05.006Z WARN  x tool=" + written + "\n");
  }

  @Test
  void controlCharactersAreReplaced() {
    assertThat(line(event(Level.ERROR, "a\u001b[2J\nb", null)))
        .isEqualTo("2026-01-02T03:04:05.006Z ERROR a⟨U+001B⟩[2J⟨U+000A⟩b\n");
  }

  @Test
  void secretsAreMasked() {
    LoggingEvent event = event(Level.INFO, "x", null);
    event.addKeyValuePair(new KeyValuePair("password", "hunter2"));

    assertThat(line(event)).doesNotContain("hunter2");
  }

  @Test
  void theCauseOfAWarningIsInItsLine() {
    assertThat(line(event(Level.WARN, "x", new IllegalStateException("no disk"))))
        .isEqualTo(
            "2026-01-02T03:04:05.006Z WARN  x"
                + " because=\"java.lang.IllegalStateException: no disk\"\n");
  }

  @Test
  void theStackOfAnErrorFollowsIt() {
    String[] lines =
        line(event(Level.ERROR, "x", new IllegalStateException("no disk"))).split("\n", -1);

    assertThat(lines[0]).isEqualTo("2026-01-02T03:04:05.006Z ERROR x");
    assertThat(lines[1]).isEqualTo("    java.lang.IllegalStateException: no disk");
    assertThat(lines[2]).startsWith("    at ");
    assertThat(lines[lines.length - 1]).isEmpty();
  }

  private static LoggingEvent event(Level level, String message, @Nullable Throwable thrown) {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent("x", context.getLogger("gatebook.test"), level, message, thrown, null);
    event.setInstant(AT);
    return event;
  }

  private static String line(LoggingEvent event) {
    return new String(new ReadableLogEncoder().encode(event), UTF_8);
  }
}
