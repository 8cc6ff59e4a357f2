package gatebook.api.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

final class JsonLogEncoderTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z";

  private final Logger log = (Logger) LoggerFactory.getLogger("gatebook.test");
  private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void logIntoMemory() {
    JsonLogEncoder encoder = new JsonLogEncoder();
    encoder.start();
    appender.setContext(log.getLoggerContext());
    appender.setEncoder(encoder);
    appender.setOutputStream(written);
    appender.start();
    log.addAppender(appender);
    log.setAdditive(false);
    log.setLevel(Level.TRACE);
  }

  @AfterEach
  void stopLogging() {
    log.detachAppender(appender);
    appender.stop();
  }

  @Test
  void hiddenCharactersAreShownByTheirNames() {
    log.atWarn().addKeyValue("tool", "a\u202eb\u009bc").log("tool \u200b");

    assertThat(line())
        .contains(
            """
            "message":"tool ⟨U+200B⟩"\
            """,
            """
            "tool":"a⟨U+202E⟩b⟨U+009B⟩c"\
            """);
  }

  @Test
  void anEventIsOneLineWithItsKeysLast() {
    log.atWarn()
        .addKeyValue("correlation_id", "c-1")
        .addKeyValue("position", 7L)
        .addKeyValue("held", true)
        .addKeyValue("rule", (Object) null)
        .log("tool {} not \"exposed\"\n", "rm");

    assertThat(line())
        .matches(
            "\\{\"timestamp\":\""
                + TIME
                + """
                ","level":"warn","severity":"WARNING","message":"tool rm not \
                \\\\"exposed\\\\"\\\\n","logger":"gatebook.test","correlation_id":"c-1","position":7,"held":true,"rule":null}\n\
                """);
  }

  @ParameterizedTest
  @CsvSource({
    "ERROR,error,ERROR",
    "WARN,warn,WARNING",
    "INFO,info,INFO",
    "DEBUG,debug,DEBUG",
    "TRACE,trace,DEBUG"
  })
  void levelAndSeveritySayTheSame(org.slf4j.event.Level logged, String level, String severity)
      throws Exception {
    log.atLevel(logged).log("x");

    assertThat(json().get("level").asText()).isEqualTo(level);
    assertThat(json().get("severity").asText()).isEqualTo(severity);
  }

  @Test
  void anEventKeyNeverReplacesAFieldOfTheLine() throws Exception {
    log.atInfo().addKeyValue("level", "fake").addKeyValue("message", "fake").log("real");

    assertThat(json().get("level").asText()).isEqualTo("info");
    assertThat(json().get("message").asText()).isEqualTo("real");
  }

  @Test
  void theStackIsInsideTheLine() throws Exception {
    log.error("failed", new IllegalStateException("boom"));

    assertThat(line().lines()).hasSize(1);
    assertThat(json().get("stack").asText())
        .startsWith("java.lang.IllegalStateException: boom")
        .contains("JsonLogEncoderTest");
  }

  @Test
  void noSecretAndNoPathIsInALine() throws Exception {
    Throwable cause = new IllegalArgumentException("token=hunter2 in /var/lib/x");
    log.atError()
        .addKeyValue("reason", "cannot read /etc/passwd")
        .addKeyValue("password", "hunter2")
        .addKeyValue("correlation_id", "4bf92f3577b34da6a3ce929d0e0e4736")
        .setCause(new IllegalStateException("Authorization: Bearer hunter2", cause))
        .log("refused {} with Cookie: a=hunter2", "https://user:hunter2@host/");

    assertThat(line()).doesNotContain("hunter2", "/etc/passwd", "/var/lib/x");
    assertThat(json().get("message").asText())
        .isEqualTo("refused https://[value]@host/ with Cookie: [value]");
    assertThat(json().get("reason").asText()).isEqualTo("cannot read [path]");
    assertThat(json().get("password").asText()).isEqualTo("[value]");
    assertThat(json().get("correlation_id").asText()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
  }

  @Test
  void aStackIsKept() throws Exception {
    Throwable thrown = new IllegalStateException("boom", new IllegalArgumentException("cause"));
    log.error("failed", thrown);

    assertThat(json().get("stack").asText())
        .isEqualTo(ThrowableProxyUtil.asString(new ThrowableProxy(thrown)));
  }

  @Test
  void pathArgumentsKeepTheirPaths() throws Exception {
    log.atInfo()
        .addKeyValue("file", Path.of("/var/lib/x"))
        .log("data directory {}", Path.of("/var/lib"));

    assertThat(json().get("message").asText()).isEqualTo("data directory /var/lib");
    assertThat(json().get("file").asText()).isEqualTo("/var/lib/x");
  }

  @Test
  void aLineThatFailedLeavesNothingInTheNextOne() throws Exception {
    Object failing =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("no text");
          }
        };
    log.atInfo().addKeyValue("value", failing).log("failed");
    log.info("next");

    assertThat(line().lines()).hasSize(1);
    assertThat(json().get("message").asText()).isEqualTo("next");
  }

  private String line() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private JsonNode json() throws Exception {
    return new JsonMapper().readTree(line());
  }
}
