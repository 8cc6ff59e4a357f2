package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.log.CapturedLogLines;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StderrLogTest {

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final CapturedLogLines log = CapturedLogLines.of("gatebook.source");
  private final AtomicLong now = new AtomicLong();
  private final StderrLog stderrLog =
      new StderrLog("it", text -> text.replace("hunter2", "[x]"), now::get);

  @AfterEach
  void leave() {
    log.close();
  }

  @Test
  void eachLineIsLoggedWithoutSecrets() {
    read("one\r\n\ntoken hunter2\n");

    assertThat(logged()).containsExactly("INFO one it", "INFO token [x] it");
  }

  @Test
  void onlyTheLengthOfATooLongLineIsLogged() {
    read("x".repeat(StderrLog.LINE_BYTES_MAX) + "\n" + "y".repeat(StderrLog.LINE_BYTES_MAX + 1));

    assertThat(logged())
        .containsExactly(
            "INFO " + "x".repeat(StderrLog.LINE_BYTES_MAX) + " it",
            "INFO a line of %d bytes it".formatted(StderrLog.LINE_BYTES_MAX + 1));
  }

  @Test
  void linesBeyondTheRateAreCounted() {
    read("x\n".repeat(StderrLog.LINES_PER_SECOND_MAX + 7));
    assertThat(log.list).hasSize(StderrLog.LINES_PER_SECOND_MAX);

    now.addAndGet(SECOND_NANOS);
    read("y\n");

    assertThat(logged().subList(StderrLog.LINES_PER_SECOND_MAX, log.list.size()))
        .containsExactly(
            "WARN too many lines of standard error: some were not logged it 7", "INFO y it");
  }

  @Test
  void strayLinesAreCountedOncePerMinute() {
    for (int i = 0; i < 5; i++) {
      stderrLog.countStray();
    }
    now.addAndGet(60 * SECOND_NANOS);
    stderrLog.countStray();

    assertThat(logged())
        .containsExactly(
            "WARN lines of standard output are not messages and were dropped it 1",
            "WARN lines of standard output are not messages and were dropped it 5");
  }

  private void read(String text) {
    stderrLog.read(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  private List<String> logged() {
    return log.list.stream()
        .map(event ->
            event.getLevel()
                + " "
                + event.getFormattedMessage()
                + event.getKeyValuePairs().stream()
                    .map(pair -> " " + pair.value)
                    .reduce("", String::concat))
        .toList();
  }
}
