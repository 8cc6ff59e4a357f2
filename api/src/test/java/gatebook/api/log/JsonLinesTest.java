package gatebook.api.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

final class JsonLinesTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z";

  private final Logger log = (Logger) LoggerFactory.getLogger("gatebook.test");
  private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void logIntoMemory() {
    JsonLines encoder = new JsonLines();
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
  void anEventIsOneLineWithItsOwnKeysLast() {
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
                + "\",\"level\":\"warn\",\"severity\":\"WARNING\",\"message\":\"tool rm not"
                + " \\\\\"exposed\\\\\"\\\\n\",\"logger\":\"gatebook.test\",\"correlation_id\":\"c-1\",\"position\":7,\"held\":true,\"rule\":null}\n");
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
  void aKeyOfTheEventNeverTakesThePlaceOfAFieldOfTheLine() throws Exception {
    log.atInfo().addKeyValue("level", "fake").addKeyValue("message", "fake").log("real");

    assertThat(json().get("level").asText()).isEqualTo("info");
    assertThat(json().get("message").asText()).isEqualTo("real");
  }

  @Test
  void whatWasThrownIsInsideTheLine() throws Exception {
    log.error("failed", new IllegalStateException("boom"));

    assertThat(line().lines()).hasSize(1);
    assertThat(json().get("stack").asText())
        .startsWith("java.lang.IllegalStateException: boom")
        .contains("JsonLinesTest");
  }

  private String line() {
    return written.toString(StandardCharsets.UTF_8);
  }

  private JsonNode json() throws Exception {
    return new JsonMapper().readTree(line());
  }
}
