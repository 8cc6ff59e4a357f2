package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.casefile.CheckedEvent;
import gatebook.api.node.casefile.CaseCheckers;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon process on its standard input and output, as an editor runs it. */
@Order(1)
final class DaemonProcessTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize"}\
      """;

  /** The log lines of this many calls exceed a pipe's buffer. */
  private static final int UNREAD_CALLS = 200;

  private static final int LARGE_FRAMES_MAX = 10;

  /** By how much a daemon's memory may grow after large frames. */
  private static final long HELD_BYTES_MAX = 150L << 20;

  private static final Map<String, String> SMALL_HEAP = Map.of("GATEBOOK_JAVA_OPTS", "-Xmx64m");

  /** Nine bytes of a body that must not be stored. */
  private static final String UNSTORED = "unkept-it";

  /** A daemon for tests that only call it; it cannot write its log file. */
  private static Daemon asked;

  /** The same with an operator's token; it records through the other one. */
  private static Daemon operators;

  @TempDir private Path temp;

  @BeforeAll
  static void start(@TempDir Path directory) {
    asked = Daemon.start(directory, "--log", "/no/such/directory/log");
    assertThat(brief(asked.ask("initialize", "{}"))).isEqualTo("1 result");
    operators = Daemon.start(directory, Map.of("GATEBOOK_TOKEN", Daemon.token(directory)));
  }

  @AfterAll
  static void stop() {
    try (Daemon _ = asked;
        Daemon _ = operators) {
      // both are closed
    }
  }

  @Test
  void builtInMethodsDescribeTheDaemon() throws IOException {
    String version = asked.ask("version", "{}").at("/result/version").asText();

    assertThat(version).matches("[0-9]+\\.[0-9]+\\.[0-9]+.*");
    assertThat(asked.ask("initialize", "null").get("result"))
        .isEqualTo(
            JSON.readTree(
                """
                {"serverInfo":{"name":"gatebook","version":"%s"},"protocolVersion":"2.0"}\
                """
                    .formatted(version)));
    assertThat(asked.ask("listMethods", "{}").get("result"))
        .extracting(method -> method.get("name").asText())
        .containsExactly(
            "initialize",
            "listMethods",
            "describeMethods",
            "version",
            "setLogLevel",
            "shutdown",
            "tools/list",
            "tools/call");
    assertThat(asked.ask("listMethods", "{}").at("/result/4"))
        .isEqualTo(
            JSON.readTree(
                """
                {"name":"setLogLevel","description":"Sets the log level: debug, info, \
                warn or error."}\
                """));
    assertThat(asked.ask("describeMethods", "{}").at("/result/4"))
        .isEqualTo(
            JSON.readTree(
                """
                {"name":"setLogLevel","params":["level: string"],"returns":"{level: \
                string, success: boolean}"}\
                """));
    assertThat(asked.ask("audit.denials", "{}").at("/error/code").asInt()).isEqualTo(-32601);
  }

  @Test
  void logLevelIgnoresCaseAndInvalidOnesListTheValid() throws IOException {
    assertThat(asked.ask("setLogLevel", "{\"level\":\"WARN\"}").get("result"))
        .isEqualTo(
            JSON.readTree(
                """
                {"level":"warn","success":true}\
                """));

    JsonNode error = asked.ask("setLogLevel", "{\"level\":\"loud\"}").get("error");

    assertThat(error.get("code").asInt()).isEqualTo(-32602);
    assertThat(error.get("data").get("param").asText()).isEqualTo("level");
    assertThat(error.get("data").get("received").asText()).isEqualTo("loud");
    assertThat(error.get("data").get("accepted"))
        .isEqualTo(JSON.readTree("[\"debug\",\"info\",\"warn\",\"error\"]"));
    asked.send(
        """
        {"jsonrpc":"2.0","method":"setLogLevel","params":{"level":"error"}}\
        """);
    assertThat(asked.ask("not/logged", "{}").at("/error/code").asInt()).isEqualTo(-32601);
    assertThat(asked.ask("setLogLevel", "{\"level\":\"info\"}").has("result")).isTrue();
    assertThat(asked.ask("logged/again", "{}").at("/error/code").asInt()).isEqualTo(-32601);
    await().until(() -> asked.err().contains("logged/again"));
    assertThat(asked.err()).contains("\"Invalid params\"").doesNotContain("not/logged");
  }

  @Test
  void toolCallsGoThroughTheGates() {
    assertThat(asked.call("echo", "{\"text\":\"né 😀\"}").at("/result/structuredContent/text"))
        .hasToString("\"né 😀\"");
    assertThat(asked.call("delete_all", "{}").at("/error/code").asInt()).isEqualTo(-32014);
    assertThat(asked.call("process", "{}").at("/error/code").asInt()).isEqualTo(-32015);
    assertThat(asked.call("transfer", "{\"amount\":500}").at("/error/code").asInt())
        .isEqualTo(-32003);
  }

  @Test
  void operatorTokenPermitsReadsAndForbidsActs() {
    assertThat(asked.call("delete_all", "{}").get("error")).isNotNull();
    assertThat(operators.ask("audit.denials", "{}").at("/result/total").asInt()).isPositive();
    assertThat(operators.ask("audit.trees", "{}").at("/result/trees").isArray()).isTrue();
    assertThat(
            operators.ask("audit.replay", "{\"projection\":\"calls\"}").at("/error/code").asInt())
        .isEqualTo(-32601);
    assertThat(operators.ask("listMethods", "{}").get("result").toString())
        .contains("audit.lookup");
  }

  @Test
  void lookupShowsTheErrorThatAFrameHad() {
    String told =
        operators.askText(
            "tools/call",
            """
            {"name":"delete_é😀","arguments":{}}\
            """);
    String correlationId = told.replaceFirst("(?s).*\"correlation_id\":\"([^\"]*)\".*", "$1");

    assertThat(
            operators
                .ask(
                    "audit.lookup",
                    """
                    {"id":"%s"}\
                    """
                        .formatted(correlationId))
                .at("/result/calls/0/told")
                .asText())
        .isEqualTo(told);
  }

  @Test
  void framesAreObservedByACandidate() throws IOException {
    String rules =
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: %s}}
        """;
    Files.writeString(temp.resolve("candidate.yaml"), rules.formatted("deny"));
    Path file =
        Files.writeString(
            temp.resolve("gatebook.yaml"),
            rules.formatted("forward") + "observe: candidate.yaml\n");
    try (Daemon editor = Daemon.start(temp, "--config", file.toString())) {
      assertThat(brief(editor.call("echo", "{}"))).isEqualTo("1 result");
      try (Daemon operator = Daemon.start(temp, Map.of("GATEBOOK_TOKEN", Daemon.token(temp)))) {
        JsonNode listed = operator.ask("audit.deniedCalls", "{\"observed\":true}");
        assertThat(listed.at("/result/total").asInt()).as("%s", listed).isEqualTo(1);
        assertThat(listed.at("/result/calls/0/status").asText()).isEqualTo("answered");
        assertThat(listed.at("/result/calls/0/observed/outcome").asText()).isEqualTo("would-deny");
      }
    }
  }

  @Test
  void caseFileOfAFrameIsAcceptedByBothCheckers() {
    String told = operators.askText("tools/call", "{\"name\":\"delete_it\",\"arguments\":{}}");
    String id = told.replaceFirst("(?s).*\"correlation_id\":\"([^\"]*)\".*", "$1");
    String text = operators.ask("audit.verify", "{}").at("/result/verifierKey").asText();
    VerifierKey key = ((LoadedKey.Key<VerifierKey>) VerifierKey.parse(text)).key();

    JsonNode made = operators.ask("audit.case", "{\"id\":\"%s\"}".formatted(id)).path("result");

    CaseVerdict.Accepted accepted =
        CaseCheckers.in(temp).accepted(Base64.getDecoder().decode(made.path("file").asText()), key);
    assertThat(accepted.events()).extracting(CheckedEvent::name).contains("GateDenied");
    assertThat(accepted.notShown()).isEmpty();
  }

  @Test
  void operatorErrorsUseTheDaemonsCodes() {
    try (Daemon daemon = Daemon.start(temp, "--token", "gbo_nobodys")) {
      JsonNode error = daemon.ask("audit.denials", "{}").get("error");

      assertThat(error.get("code").asInt()).isEqualTo(-32600);
      assertThat(error.at("/data/reason").asText()).isEqualTo("token-unknown");
      assertThat(error.at("/data/correlation_id").asText()).isNotEmpty();
      daemon.end();
      assertThat(daemon.err()).contains("\"Unauthorized\"");
    }
    JsonNode error = operators.ask("audit.denials", "{\"since\":7}").get("error");

    assertThat(error.get("code").asInt()).isEqualTo(-32602);
    assertThat(error.get("message").asText()).startsWith("Invalid params: since must be a time");
    assertThat(error.at("/data/param").asText()).isEqualTo("since");
    assertThat(error.at("/data/expected").asText()).startsWith("a time");
    assertThat(error.at("/data/received").asText()).isEqualTo("number");
    assertThat(error.at("/data/correlation_id").asText()).isNotEmpty();
  }

  @Test
  void malformedMessagesAreRefusedInOrder() throws IOException {
    try (Daemon daemon = Daemon.start(temp)) {
      daemon.write("Content-Length: 5\r\nContent-Type: text/plain\r\n\r\n{\"a\":".getBytes(UTF_8));
      daemon.write("Content-Length: 11111103\r\n\r\n".getBytes(UTF_8));
      daemon.write(UNSTORED.repeat(1_234_567).getBytes(UTF_8));
      daemon.write("Nonsense\r\n".getBytes(UTF_8));
      daemon.send("[\"%s\"]".formatted(UNSTORED));
      daemon.send(
          """
          {"jsonrpc":"2.0","id":true,"method":"version"}\
          """);
      daemon.write(
          """
          Content-Type: text/plain\r\nContent-Length: 42\r\n\r\n{"jsonrpc":"2.0","id":"x","method":"a"   }\
          """
              .getBytes(UTF_8));
      daemon.send(
          """
          {"jsonrpc":"2.0","method":"no/such"}\
          """);
      daemon.send(INITIALIZE);

      assertThat(IntStream.range(0, 7).mapToObj(_ -> brief(daemon.receive().orElseThrow())))
          .containsExactly(
              "null -32600 unsupported-content-type",
              "null -32600 oversize",
              "null -32700 ",
              "null -32600 batch-not-supported",
              "null -32600 invalid-id-type",
              "\"x\" -32600 unsupported-content-type",
              "1 result");
      daemon.end();
      assertThat(daemon.err()).doesNotContain(UNSTORED);
    }
    try (Stream<Path> files = Files.walk(temp.resolve("data"))) {
      assertThat(files.filter(file -> file.toString().matches(".*\\.(db|segment|index)")))
          .allSatisfy(
              file -> assertThat(Files.readString(file, ISO_8859_1)).doesNotContain(UNSTORED));
    }
  }

  @Test
  void memoryOfLargeFramesIsReleased() throws IOException {
    try (Daemon daemon = Daemon.start(temp)) {
      assertThat(daemon.call("echo", "{}").has("result")).isTrue();
      long before = residentBytes(daemon);
      String large = "{\"text\":\"%s\"}".formatted("x".repeat(9_900_000));
      for (int call = 0; call < LARGE_FRAMES_MAX && !isHeld(daemon, before); call++) {
        assertThat(daemon.call("echo", large).has("result")).isTrue();
      }

      assertThat(isHeld(daemon, before)).isTrue();
      await().until(() -> !isHeld(daemon, before));
      assertThat(daemon.call("echo", large).has("result")).isTrue();
    }
  }

  private static boolean isHeld(Daemon daemon, long before) throws IOException {
    return residentBytes(daemon) >= before + HELD_BYTES_MAX;
  }

  private static long residentBytes(Daemon daemon) throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(daemon.pid()))).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void requestByteByByteIsAnswered() {
    for (byte b : Daemon.frame(INITIALIZE)) {
      asked.write(new byte[] {b});
    }
    assertThat(brief(asked.receive().orElseThrow())).isEqualTo("1 result");
  }

  @Test
  void standardOutputContainsFramesOnly() {
    Map<String, String> talkative =
        Map.of(
            "JAVA_TOOL_OPTIONS",
            "-Xlog:gc*",
            "JDK_JAVA_OPTIONS",
            "-verbose:gc",
            "_JAVA_OPTIONS",
            "-Xlog:class+load=info",
            "GATEBOOK_JAVA_OPTS",
            "-XX:+PrintCommandLineFlags -XX:+UnlockDiagnosticVMOptions -XX:+PrintVMInfoAtExit"
                + " -Xlog:safepoint");
    try (Daemon daemon = Daemon.start(temp, talkative)) {
      assertThat(brief(daemon.ask("initialize", "{}"))).isEqualTo("1 result");
      daemon.signal("QUIT");
      await().until(() -> daemon.err().contains("Full thread dump"));
      assertThat(brief(daemon.ask("version", "{}"))).isEqualTo("1 result");
      daemon.endInput();
      assertThat(daemon.receive()).isEmpty();
      assertThat(daemon.exitCode()).isZero();
      assertThat(daemon.err()).contains("-XX:+PrintCommandLineFlags").contains("[gc");
    }
  }

  @Test
  void signalEndsTheDaemonInTimeDespiteAHeldCall() throws IOException {
    Daemon.expectInTime(
        temp,
        directory -> {
          try (Daemon daemon = holding(directory)) {
            daemon.signal("TERM");

            long millis = daemon.millisUntilGone();
            assertThat(daemon.exitCode()).isZero();
            assertThat(daemon.receive()).isEmpty();
            assertThat(daemon.err())
                .contains("\"told to stop by SIGTERM, shutting down gracefully\"");
            return millis;
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "HUP"})
  void everyStopSignalIsLoggedByItsName(String signal) {
    try (Daemon daemon = Daemon.start(temp)) {
      assertThat(brief(daemon.ask("initialize", "{}"))).isEqualTo("1 result");
      daemon.signal(signal);

      assertThat(daemon.exitCode()).isZero();
      assertThat(daemon.err())
          .contains("\"told to stop by SIG%s, shutting down gracefully\"".formatted(signal));
    }
  }

  /** The heap allows 2 MiB to be read ahead; the end of input is behind more than that. */
  @Test
  void closedInputIsNoticedBehindMoreThanIsReadAhead() throws IOException {
    byte[] unread = new byte[(2 << 20) + (40 << 10)];
    Arrays.fill(unread, (byte) '\n');
    Daemon.expectInTime(
        temp,
        directory -> {
          try (Daemon daemon = holding(directory, SMALL_HEAP)) {
            daemon.write(unread);
            daemon.endInput();

            long millis = daemon.millisUntilGone();
            assertThat(daemon.exitCode()).isZero();
            return millis;
          }
        });
  }

  /** Starts a daemon with a held call. */
  private static Daemon holding(Path directory) {
    return holding(directory, Map.of());
  }

  private static Daemon holding(Path directory, Map<String, String> environment) {
    Daemon daemon = Daemon.start(directory, environment);
    daemon.request(
        2,
        "tools/call",
        """
        {"name":"deploy","arguments":{}}\
        """);
    awaitHeld(directory);
    return daemon;
  }

  /** 2.1 MB, which a heap of 64 MiB accepts as bytes, are many times that as values. */
  @Test
  void frameThatExhaustsTheHeapIsAnInternalError() {
    String dense = "{\"a\":[%s]}".formatted("[],".repeat(700_000) + "[]");
    try (Daemon daemon = Daemon.start(temp, SMALL_HEAP)) {
      daemon.write("Content-Length: 10000000\r\n\r\n".getBytes(UTF_8)); // over the heap's limit
      assertThat(daemon.receive().orElseThrow().at("/error/data/reason").asText())
          .isEqualTo("oversize");
      assertThat(daemon.ask("version", "{}").has("result")).isTrue();
      for (int i = 0; i < 3; i++) {
        daemon.request(i, "tools/call", "{\"name\":\"echo\",\"arguments\":%s}".formatted(dense));
        Optional<JsonNode> response = daemon.receive();
        if (response.isEmpty()) {
          assertThat(daemon.exitCode()).isEqualTo(1);
          return;
        }
        assertThat(response.get().has("result") || code(response.get()) == -32603)
            .as("%s", response.get())
            .isTrue();
      }
      assertThat(daemon.ask("version", "{}").has("result")).isTrue();
    }
  }

  private static int code(JsonNode response) {
    return response.at("/error/code").asInt();
  }

  @Test
  void vanishedDataDirectoryRefusesCallsUntilItIsBack() throws IOException {
    try (Daemon daemon = Daemon.start(temp)) {
      assertThat(daemon.call("echo", "{}").has("result")).isTrue();
      Path data = temp.resolve("data");
      Path elsewhere = temp.resolve("elsewhere");

      Files.move(data, elsewhere);
      await().until(() -> code(daemon.call("echo", "{}")) == -32013);
      assertThat(data).doesNotExist();

      Files.move(elsewhere, data);
      await().until(() -> daemon.call("echo", "{}").has("result"));
    }
  }

  @Test
  void logFileFromEnvironmentIsReadableByOwnerOnly() throws IOException {
    Path log = temp.resolve("daemon.log");
    Map<String, String> environment =
        Map.of("DUET_RPC_LOG", log.toString(), "DUET_RPC_LOG_MAX_SIZE", "1500");
    try (Daemon daemon = Daemon.start(temp, environment, "--log-files-max", "20")) {
      assertThat(daemon.ask("setLogLevel", "{\"level\":\"loud\"}").has("error")).isTrue();
      daemon.send(
          """
          {"jsonrpc":"2.0","id":null,"method":"no/such"}\
          """);
      assertThat(brief(daemon.receive().orElseThrow())).startsWith("null -32601");
      daemon.send(
          """
          {"jsonrpc":"2.0","method":"no/such"}\
          """);
      daemon.endInput();
      assertThat(daemon.exitCode()).isZero();
      assertThat(daemon.err()).isEmpty();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
        .isEqualTo("rw-------");
    assertThat(Files.size(log)).isLessThanOrEqualTo(1_500);
    List<JsonNode> lines = lines(log);
    JsonNode start = lines.stream().filter(line -> line.has("log_sink")).findFirst().orElseThrow();
    assertThat(start.get("log_level").asText()).isEqualTo("info");
    assertThat(start.get("pid").isNumber()).isTrue();
    assertThat(lines.stream().filter(line -> line.has("fault")).map(DaemonProcessTest::ofMessage))
        .containsExactly(
            "WARNING Invalid params, method \"setLogLevel\", id 1",
            "WARNING Method not found, method \"no/such\", id null",
            "WARNING Method not found, method \"no/such\", no id");
    assertThat(lines)
        .extracting(line -> line.get("message").asText())
        .contains("stdin closed, shutting down gracefully");
    assertThat(lines.getLast().get("message").asText()).isEqualTo("stopped");
    assertThat(lines.getLast().get("messages").asInt()).isEqualTo(3);
  }

  /** The log lines of all files, the oldest first. */
  private static List<JsonNode> lines(Path log) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (int age = 20; age >= 0; age--) {
      Path file = age == 0 ? log : log.resolveSibling(log.getFileName() + "." + age);
      if (Files.exists(file)) {
        for (String line : Files.readAllLines(file)) {
          lines.add(JSON.readTree(line));
        }
      }
    }
    return lines;
  }

  private static String ofMessage(JsonNode line) {
    return "%s %s, method %s, %s"
        .formatted(
            line.get("severity").asText(),
            line.get("message").asText(),
            line.get("method"),
            line.has("id") ? "id " + line.get("id") : "no id");
  }

  @Test
  void unreadLogDoesNotBlockTheDaemon() throws IOException {
    Daemon.expectInTime(
        temp,
        directory -> {
          try (Daemon daemon = Daemon.startUnread(directory)) {
            for (int id = 1; id <= UNREAD_CALLS; id++) {
              daemon.request(id, "no/such", "{}");
              assertThat(daemon.receive().orElseThrow().get("id").asInt()).isEqualTo(id);
            }
            daemon.endInput();
            long millis = daemon.millisUntilGone();
            assertThat(daemon.exitCode()).isZero();
            return millis;
          }
        });
  }

  @Test
  void unwritableLogFileIsWarnedOfOnStandardError() {
    assertThat(brief(asked.ask("initialize", "{}"))).isEqualTo("1 result");
    assertThat(asked.err()).contains("cannot write the log file");
  }

  @Test
  void failedStartPrintsTheReasonAndExitsWithOne() throws IOException {
    Files.createDirectories(temp.resolve("data"));
    Files.writeString(temp.resolve("data/of somebody else"), "");
    try (Daemon daemon = Daemon.start(temp)) {
      assertThat(daemon.receive()).isEmpty();
      assertThat(daemon.exitCode()).isEqualTo(1);
      assertThat(daemon.err()).contains("holds files that are not gatebook's");
    }
  }

  private static void awaitHeld(Path directory) {
    // a held call is in the journal before it waits
    await()
        .until(() -> {
          try {
            return new String(
                    Files.readAllBytes(
                        directory.resolve("data/journal/0000000000000000001.segment")),
                    UTF_8)
                .contains("ApprovalRequested");
          } catch (IOException _) {
            return false;
          }
        });
  }

  private static String brief(JsonNode answer) {
    JsonNode error = answer.get("error");
    return error == null
        ? answer.get("id") + " result"
        : "%s %s %s"
            .formatted(
                answer.get("id"), error.get("code"), error.get("data").path("reason").asText());
  }
}
