package gatebook.api.upstream.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.log.CapturedLogLines;
import gatebook.command.redact.Scrubber;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  static Stream<String> traces() throws IOException {
    String all =
        Files.readString(
            Path.of("../command/src/test/resources/gatebook/command/redact/stacks.txt"));
    return Stream.of(all.split("(?m)^=====.*\n", -1)).filter(trace -> !trace.isBlank());
  }

  @ParameterizedTest
  @MethodSource("traces")
  void framesAreNotLoggedAndTheFailureIs(String trace) {
    StderrLog redacted = new StderrLog("it", Scrubber.BUILT_IN::scrub, now::get);

    redacted.read(
        new ByteArrayInputStream(("before it\n" + trace + "\nand after\n").getBytes(UTF_8)));

    assertThat(logged().toString()).as(trace).doesNotContainPattern("[A-Za-z]*[Ss]ecret");
    assertThat(logged()).startsWith("INFO before it it").endsWith("INFO and after it");
    if (trace.contains("failure")) {
      assertThat(logged().toString()).contains("failure");
    }
  }

  @Test
  void aTraceIsLoggedAsOneLine() {
    read(
        """
        failure of the cart
        main.add
        \t/app/main.go:12
        main.run
        \t/app/main.go:3
        exit status 2
        """);

    assertThat(logged())
        .containsExactly("INFO failure of the cart it", "INFO [stack] it", "INFO exit status 2 it");
  }

  @Test
  void aLineThatOnlyLooksLikeAFrameIsLogged() {
    read("it.listens\nDone.\n\nit.waits\n");

    assertThat(logged()).containsExactly("INFO it.listens it", "INFO Done. it", "INFO it.waits it");
  }

  @Test
  void aLineIsLoggedBeforeTheNextIsWaitedFor() {
    List<String> loggedBefore = new ArrayList<>();
    InputStream waiting =
        new InputStream() {
          @Override
          public int read() {
            return -1;
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            loggedBefore.addAll(logged());
            return -1;
          }
        };

    stderrLog.read(
        new SequenceInputStream(new ByteArrayInputStream("it.listens\n".getBytes(UTF_8)), waiting));

    assertThat(loggedBefore).containsExactly("INFO it.listens it");
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
