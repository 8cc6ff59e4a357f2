package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Daemons with unusable standard streams or logs. */
final class StandardStreamsProcessTest {

  private static final String NO_LOG = "standard output is no place for log lines: ";
  private static final long GONE_SECONDS_MAX = 60;

  @TempDir private Path temp;

  private record Ended(int exitCode, String out, String err) {}

  @Test
  void logToStandardOutputIsRefused() throws Exception {
    Ended ended = run("DUET_RPC_LOG=./out exec \"$@\"");

    assertThat(ended.exitCode).isEqualTo(1);
    assertThat(ended.out).isEmpty();
    assertThat(ended.err).startsWith(NO_LOG).hasLineCount(1);
  }

  @Test
  void logToStandardInputIsRefused() throws Exception {
    Ended ended = run("echo none >in && exec \"$@\" --log ./in <in");

    assertThat(ended.exitCode).isEqualTo(1);
    assertThat(ended.err).startsWith("standard input is no place for log lines").hasLineCount(1);
    assertThat(temp.resolve("in")).hasContent("none\n");
  }

  @Test
  void crashIsReportedInTheDataDirectoryWithoutTokens() throws IOException {
    String token = "a-token-of-an-operator";
    Map<String, String> environment = Map.of("GATEBOOK_TOKEN", token, "OTHER_TOKEN", token);
    try (Daemon daemon = Daemon.start(temp, environment, "--token", token)) {
      assertThat(daemon.ask("version", "{}").has("result")).isTrue();
      daemon.signal("SEGV");

      assertThat(daemon.receive()).isEmpty();
      assertThat(daemon.exitCode()).isEqualTo(1);
    }
    Path report = temp.resolve("data/crash.log");
    assertThat(Files.readString(report)).contains("SIGSEGV", "END.").doesNotContain(token);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(report)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .allMatch(name -> name.equals("data") || name.startsWith("err"));
    }
  }

  @Test
  void closedLogPipeDoesNotStopTheDaemon() throws Exception {
    Path pipe = temp.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process reader =
        new ProcessBuilder("head", "-n", "1", pipe.toString())
            .redirectOutput(temp.resolve("lines").toFile())
            .start();
    try (Daemon daemon = Daemon.start(temp, "--log", pipe.toString())) {
      assertThat(reader.waitFor(GONE_SECONDS_MAX, SECONDS)).as("it has left").isTrue();
      for (int i = 0; i < 3; i++) {
        daemon.send("none"); // its refusal is logged
        assertThat(daemon.receive().orElseThrow().at("/error/code").asInt()).isEqualTo(-32_700);
      }
      daemon.endInput();

      assertThat(daemon.exitCode()).isZero();
      assertThat(daemon.err())
          .contains("can no longer write the log file")
          .contains("\"message\":\"stopped\"");
    } finally {
      reader.destroyForcibly();
    }
    assertThat(Files.readString(temp.resolve("lines"))).hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({"<&-, standard input is closed", ">&-, standard output is closed"})
  void closedStandardStreamIsRefused(String closed, String sentence) throws Exception {
    Ended ended = run("exec \"$@\" " + closed);

    assertThat(ended.exitCode).isEqualTo(1);
    assertThat(ended.out).isEmpty();
    assertThat(ended.err).startsWith(sentence).hasLineCount(1);
  }

  @Test
  void closedStandardErrorIsNotReusedForAnotherFile() throws Exception {
    Ended ended = run("echo none | \"$@\" 2>&-");

    assertThat(ended.exitCode).isZero();
    assertThat(ended.out).startsWith("Content-Length: ").contains("\"code\":-32700");
    try (Stream<Path> files = Files.list(temp.resolve("data"))) {
      assertThat(files.filter(Files::isRegularFile))
          .allSatisfy(file ->
              assertThat(new String(Files.readAllBytes(file), UTF_8))
                  .doesNotContain("\"message\":\"stopped\""));
    }
  }

  @Test
  void nonBlockingStandardInputIsReported() throws Exception {
    Ended ended =
        run(
            "mkfifo in && exec perl -e '%s' \"$@\" --log log 3<>in <in"
                .formatted(nonBlocking("STDIN")));

    assertThat(ended.exitCode).isEqualTo(1);
    assertThat(ended.out).isEmpty();
    assertThat(ended.err).startsWith("standard input cannot be read from").hasLineCount(1);
  }

  @Test
  void nonBlockingStandardOutputIsReported() throws Exception {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    for (int id = 0; id < 200; id++) { // their answers are more than a pipe takes
      input.writeBytes(
          Daemon.frame(
              """
              {"jsonrpc":"2.0","id":%d,"method":"describeMethods"}\
              """
                  .formatted(id)));
    }
    Files.write(temp.resolve("input"), input.toByteArray());

    Ended ended =
        run(
            ("mkfifo in pipe && exec 4<>in && cat input >&4" // the input stays open, so that its
                    // end is not the reason
                    + " && exec perl -e '%s' \"$@\" --log log 3<>pipe >pipe <in")
                .formatted(nonBlocking("STDOUT")));

    assertThat(ended.exitCode).isEqualTo(1);
    assertThat(ended.err).startsWith("standard output cannot be written to").hasLineCount(1);
  }

  private static String nonBlocking(String stream) {
    return "use Fcntl; fcntl(%s, F_SETFL, O_NONBLOCK) or die; exec @ARGV".formatted(stream);
  }

  @Test
  void unreadAnswersDoNotDelayTheExit() throws Exception {
    Daemon.expectInTime(
        temp,
        directory -> {
          try (Daemon daemon = Daemon.start(directory)) {
            assertThat(daemon.ask("version", "{}").get("result")).isNotNull();
            for (int id = 0; id < 200; id++) {
              daemon.request(
                  id, "describeMethods", "{}"); // their answers are more than a pipe takes
            }
            daemon.endInput();
            return daemon.millisUntilGone();
          }
        });
  }

  /** Runs a shell script whose arguments are the daemon's command. */
  private Ended run(String script) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of("sh", "-c", script, "sh"), Daemon.command(temp).stream()).toList();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(temp.toFile())
            .redirectOutput(temp.resolve("out").toFile())
            .redirectError(temp.resolve("err").toFile());
    builder.environment().keySet().removeAll(List.of("GATEBOOK_TOKEN", "DUET_RPC_LOG"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(GONE_SECONDS_MAX, SECONDS)).as("it is gone").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Ended(
        process.exitValue(),
        Files.readString(temp.resolve("out")),
        Files.readString(temp.resolve("err")));
  }
}
