package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.data.DataDirectory;
import gatebook.api.proof.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several processes share one data directory: one owns the journal, all record in it. */
final class SharedDirectoryProcessTest {

  private static final int SERVICE_UNAVAILABLE = -32013;

  /** Two daemons for tests that end neither: the owner, and one with an operator's token. */
  private static Daemon owner;

  private static Daemon member;
  private static Path shared;

  @TempDir private Path temp;

  @BeforeAll
  static void start(@TempDir Path directory) {
    shared = directory;
    owner = started(directory);
    member = started(directory, "--token", Daemon.token(directory));
  }

  @AfterAll
  static void stop() {
    try (Daemon _ = owner;
        Daemon _ = member) {
      // both are closed
    }
  }

  @Test
  void secondDaemonRecordsThroughTheFirst() {
    int before = denials(member);
    assertThat(owner.call("delete_all", "{}").get("error")).isNotNull();
    assertThat(member.call("delete_all", "{}").get("error")).isNotNull();
    assertThat(member.call("echo", "{\"of\":2}").get("result")).isNotNull();

    assertThat(denials(member)).isEqualTo(before + 2);
    assertThat(owner.err()).contains("another process records here");
  }

  @Test
  void killedOwnerIsReplacedAndNothingIsLost() {
    try (Daemon first = started(temp);
        Daemon second = started(temp, "--token", Daemon.token(temp));
        Daemon third = started(temp, "--token", Daemon.token(temp))) {
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
  void memberIsToldTheStatusOfTheOwner() {
    JsonNode status = member.ask("node.status", "{}").get("result");

    assertThat(status.get("node").asText()).startsWith(owner.pid() + "@");
    assertThat(status.at("/journal/position").asLong()).isPositive();
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
  void shutdownIsAnsweredWhileTheOwnerHangs(String method, String params) {
    try (Daemon third = started(shared, "--token", Daemon.token(shared))) {
      whileTheOwnerHangs(() -> {
        third.request(2, method, params);
        third.request(3, "shutdown", "{}");

        // the audit method is answered first, the call is given up
        assertThat(Stream.of(third.receive(), third.receive()).flatMap(Optional::stream))
            .extracting(response -> response.get("id").asInt())
            .endsWith(3);
        assertThat(third.exitCode()).isZero();
      });
    }
  }

  @Test
  void unreadableMessageIsToldAsSuchWhileTheOwnerHangs() {
    whileTheOwnerHangs(() -> {
      member.send("none");
      assertThat(member.receive().orElseThrow().at("/error/code").asInt()).isEqualTo(-32_700);
      assertThat(isUnavailable(member.ask("version", "{}"))).isTrue();
    });
  }

  private static void whileTheOwnerHangs(Runnable action) {
    owner.signal("STOP");
    try {
      action.run();
    } finally {
      owner.signal("CONT");
      awaitServing(member);
    }
  }

  @Test
  void ownerClosesTheOrphanedCallOfAMember() {
    try (Daemon third = started(shared)) {
      third.request(
          2,
          "tools/call",
          """
          {"name":"deploy","arguments":{}}\
          """);
      await().until(() -> deployments("held") == 1);
      third.kill();
    }

    await().until(() -> deployments("orphaned") + deployments("abandoned") == 1);
    assertThat(owner.isAlive()).isTrue();
  }

  @Test
  void daemonRecordsThroughARunningServer() {
    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS);
        Daemon daemon = started(temp, "--token", Daemon.token(temp))) {
      assertThat(daemon.call("delete_all", "{}").get("error")).isNotNull();
      assertThat(denials(daemon)).isEqualTo(1);

      server.kill();

      awaitServing(daemon);
      assertThat(denials(daemon)).isEqualTo(1);
      assertThat(daemon.err())
          .contains("another process owns the journal", "this process owns the journal");
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
      case DataDirectory.Opening.Held(_, _, _, var sentence) -> throw new AssertionError(sentence);
    };
  }

  private static Daemon started(Path directory, String... arguments) {
    Daemon daemon = Daemon.start(directory, arguments);
    assertThat(daemon.ask("initialize", "{}").get("result")).as(daemon::err).isNotNull();
    return daemon;
  }

  private static void awaitServing(Daemon daemon) {
    await().until(() -> daemon.call("echo", "{}").has("result"));
  }

  private static int denials(Daemon daemon) {
    return daemon.ask("audit.denials", "{}").at("/result/total").asInt();
  }

  private static int deployments(String status) {
    return member
        .ask("audit.calls", "{\"target\":\"deploy\",\"status\":\"%s\"}".formatted(status))
        .at("/result/calls")
        .size();
  }
}
