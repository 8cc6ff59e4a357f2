package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.data.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several processes share one data directory: one owns the journal, all record in it. */
final class SharedDirectoryProcessTest {

  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final int SERVICE_UNAVAILABLE = -32013;

  @TempDir private Path temp;

  @Test
  void secondDaemonRecordsThroughTheFirstAndServeIsRefused() throws Exception {
    try (Daemon first = started()) {
      try (Daemon second = started("--token", token())) {
        assertThat(first.call("delete_all", "{}").get("error")).isNotNull();
        assertThat(second.call("delete_all", "{}").get("error")).isNotNull();
        assertThat(second.call("echo", "{\"of\":2}").get("result")).isNotNull();

        assertThat(denials(second)).isEqualTo(2);
        assertThat(first.err()).contains("another process records here");
      }
      assertThat(server().waitFor()).isEqualTo(1);
      assertThat(Files.readString(temp.resolve("server.err")))
          .contains("is in use by the running gatebook with process id " + first.pid());
    }
  }

  @Test
  void killedOwnerIsReplacedAndNothingIsLost() throws IOException {
    try (Daemon first = started();
        Daemon second = started("--token", token());
        Daemon third = started("--token", token())) {
      assertThat(second.call("delete_all", "{}").get("error")).isNotNull();
      first.kill();

      assertThat(second.call("echo", "{}").at("/error/code").asInt())
          .isEqualTo(SERVICE_UNAVAILABLE);
      JsonNode denials = third.ask("audit.denials", "{}");
      assertThat(denials.has("result") || isUnavailable(denials)).as("%s", denials).isTrue();
      awaitServing(second);
      awaitServing(third);

      assertThat(second.call("delete_all", "{}").at("/error/code").asInt()).isEqualTo(-32014);
      assertThat(third.call("delete_all", "{}").at("/error/code").asInt()).isEqualTo(-32014);
      assertThat(List.of(denials(second), denials(third))).containsExactly(3, 3);
    }
  }

  @Test
  void memberIsToldTheStatusOfTheOwner() throws IOException {
    try (Daemon first = started();
        Daemon second = started("--token", token())) {
      JsonNode status = second.ask("node.status", "{}").get("result");

      assertThat(status.get("node").asText()).startsWith(first.pid() + "@");
      assertThat(status.at("/journal/position").asLong()).isPositive();
    }
  }

  private static boolean isUnavailable(JsonNode response) {
    return response.at("/error/code").asInt() == SERVICE_UNAVAILABLE
        && response.at("/error/data").has("correlation_id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tools/call        | {"name":"echo","arguments":{}}
          audit.projections | {}
          """)
  void shutdownIsAnsweredWhileTheOwnerHangs(String method, String params) throws IOException {
    try (Daemon first = started();
        Daemon second = started("--token", token())) {
      assertThat(second.ask("version", "{}").has("result")).isTrue();
      first.signal("STOP");
      try {
        second.request(2, method, params);
        second.request(3, "shutdown", "{}");

        // the audit method is answered first, the call is given up
        assertThat(Stream.of(second.receive(), second.receive()).flatMap(Optional::stream))
            .extracting(response -> response.get("id").asInt())
            .endsWith(3);
        assertThat(second.exitCode()).isZero();
      } finally {
        first.signal("CONT");
      }
    }
  }

  @Test
  void unreadableMessageIsToldAsSuchWhileTheOwnerHangs() throws IOException {
    try (Daemon first = started();
        Daemon second = started()) {
      assertThat(second.ask("version", "{}").has("result")).isTrue();
      first.signal("STOP");
      try {
        second.send("none");
        assertThat(second.receive().orElseThrow().at("/error/code").asInt()).isEqualTo(-32_700);
        assertThat(isUnavailable(second.ask("version", "{}"))).isTrue();
      } finally {
        first.signal("CONT");
      }
    }
  }

  @Test
  void ownerClosesTheOrphanedCallOfAMember() throws IOException {
    try (Daemon first = started();
        Daemon asking = started("--token", token())) {
      try (Daemon second = started()) {
        assertThat(second.ask("version", "{}").get("result")).isNotNull();
        second.request(
            2,
            "tools/call",
            """
            {"name":"deploy","arguments":{}}\
            """);
        await().until(() -> calls(asking, "held") == 1);
        second.kill();
      }

      await().until(() -> calls(asking, "orphaned") + calls(asking, "abandoned") == 1);
      assertThat(first.isAlive()).isTrue();
    }
  }

  @Test
  void daemonRecordsThroughARunningServer() throws Exception {
    Process server = server();
    try {
      await().until(() -> Files.exists(temp.resolve("data/owner.lock")));
      try (Daemon daemon = started("--token", awaitedToken())) {
        assertThat(daemon.call("delete_all", "{}").get("error")).isNotNull();
        assertThat(denials(daemon)).isEqualTo(1);

        server.destroyForcibly().waitFor();

        awaitServing(daemon);
        assertThat(denials(daemon)).isEqualTo(1);
      }
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void daemonLogsThatItWaitsForTheOwner() {
    DataDirectory held = held();
    try (Daemon daemon = Daemon.start(temp)) {
      await()
          .until(() ->
              daemon.err().contains("\"waiting for the process that has the data directory\""));
      held.close();

      assertThat(daemon.ask("initialize", "{}").get("result")).as(daemon::err).isNotNull();
    }
  }

  /** Opens the data directory in this process, without publishing an address. */
  private DataDirectory held() {
    return switch (DataDirectory.open(temp.resolve("data"))) {
      case DataDirectory.Opening.Opened(var directory) -> directory;
      case DataDirectory.Opening.Refused(var sentence) -> throw new AssertionError(sentence);
      case DataDirectory.Opening.Held(_, _, var sentence) -> throw new AssertionError(sentence);
    };
  }

  private Daemon started(String... arguments) {
    Daemon daemon = Daemon.start(temp, arguments);
    assertThat(daemon.ask("initialize", "{}").get("result")).as(daemon::err).isNotNull();
    return daemon;
  }

  private Process server() throws IOException {
    return new ProcessBuilder(
            LAUNCHER.toString(),
            "serve",
            "--data",
            temp.resolve("data").toString(),
            "--port",
            "0",
            "--admin-port",
            "0")
        .directory(temp.toFile())
        .redirectOutput(temp.resolve("server.out").toFile())
        .redirectError(temp.resolve("server.err").toFile())
        .start();
  }

  private String awaitedToken() {
    await().until(() -> Files.exists(temp.resolve("data/operator.token")));
    return token();
  }

  private String token() {
    try {
      return Files.readString(temp.resolve("data/operator.token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitServing(Daemon daemon) {
    await().until(() -> daemon.call("echo", "{}").has("result"));
  }

  private static int denials(Daemon daemon) {
    return daemon.ask("audit.denials", "{}").at("/result/total").asInt();
  }

  private static int calls(Daemon daemon, String status) {
    return daemon
        .ask("audit.calls", "{\"status\":\"%s\"}".formatted(status))
        .at("/result/calls")
        .size();
  }
}
