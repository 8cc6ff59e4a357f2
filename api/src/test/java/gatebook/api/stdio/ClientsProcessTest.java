package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import gatebook.events.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.services.JsonNotification;
import org.eclipse.lsp4j.jsonrpc.services.JsonRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of real editors run a whole session with the daemon, unchanged. */
final class ClientsProcessTest {

  private static final Path PEERS =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/daemon");
  private static final long SESSION_SECONDS_MAX = 300;

  @TempDir private Path temp;

  @Test
  void emacsRunsASession() throws Exception {
    Requires.program("emacs");

    assertThat(
            session(
                List.of("emacs", "--batch", "-l", PEERS.resolve("session.el").toString(), "--")))
        .containsExactly(
            "success: gatebook",
            "error: -32014",
            "non-ASCII: t",
            "large: t",
            "after what was no message: t",
            "pipelined: t",
            "shutdown: Shutting down gracefully",
            "exit: 0");
  }

  @Test
  void visualStudioCodeClientRunsASession() throws Exception {
    Requires.packages(PEERS);

    assertThat(session(List.of("node", PEERS.resolve("session.mjs").toString())))
        .containsExactly(
            "success: gatebook",
            "error: -32014",
            "data: debug,info,warn,error",
            "non-ASCII: true",
            "large: true",
            "pipelined: true",
            "shutdown: Shutting down gracefully",
            "exit: 0");
  }

  /** The daemon as a client sees it. */
  interface Side {
    @JsonRequest
    CompletableFuture<JsonObject> initialize(Map<String, Object> params);

    @JsonRequest("tools/call")
    CompletableFuture<JsonObject> call(Map<String, Object> params);

    @JsonNotification
    void setLogLevel(Map<String, Object> params);

    @JsonRequest
    CompletableFuture<JsonObject> shutdown();
  }

  @Test
  void eclipseClientRunsASession() throws Exception {
    Process daemon =
        new ProcessBuilder(Daemon.command(temp))
            .redirectError(temp.resolve("lsp4j.err").toFile())
            .start();
    try {
      Launcher<Side> launcher =
          new Launcher.Builder<Side>()
              .setLocalService(new Object())
              .setRemoteInterface(Side.class)
              .setInput(daemon.getInputStream())
              .setOutput(daemon.getOutputStream())
              .create();
      var _ = launcher.startListening();
      runSession(launcher.getRemoteProxy());
      assertThat(daemon.waitFor(SESSION_SECONDS_MAX, SECONDS)).isTrue();
      assertThat(daemon.exitValue()).isZero();
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  private static void runSession(Side side) throws Exception {
    String name =
        soon(side.initialize(Map.of())).getAsJsonObject("serverInfo").get("name").getAsString();
    assertThat(name).isEqualTo("gatebook");
    assertThatThrownBy(() -> soon(side.call(Map.of("name", "delete_all", "arguments", Map.of()))))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ResponseErrorException.class,
            error -> assertThat(error.getResponseError().getCode()).isEqualTo(-32014));
    side.setLogLevel(Map.of("level", "error"));
    for (String text : List.of("né 😀 \"quoted\" \n line", "é".repeat(300_000))) {
      assertThat(soon(echo(side, text)).getAsJsonObject("structuredContent").get("text"))
          .hasToString(new com.google.gson.JsonPrimitive(text).toString());
    }
    List<CompletableFuture<JsonObject>> pipelined =
        IntStream.range(0, 100).mapToObj(number -> echo(side, "number " + number)).toList();
    for (int number = 0; number < pipelined.size(); number++) {
      assertThat(
              soon(pipelined.get(number))
                  .getAsJsonObject("structuredContent")
                  .get("text")
                  .getAsString())
          .isEqualTo("number " + number);
    }
    assertThat(soon(side.shutdown()).get("message").getAsString())
        .isEqualTo("Shutting down gracefully");
  }

  private static CompletableFuture<JsonObject> echo(Side side, String text) {
    return side.call(Map.of("name", "echo", "arguments", Map.of("text", text)));
  }

  private static <T> T soon(CompletableFuture<T> answer) throws Exception {
    return answer.get(SESSION_SECONDS_MAX, SECONDS);
  }

  /** The output of a client's script about its session. */
  private List<String> session(List<String> client) throws Exception {
    List<String> command = new ArrayList<>(client);
    command.addAll(Daemon.command(temp));
    return run(command);
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    Path out = temp.resolve("client.out");
    Path err = temp.resolve("client.err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    boolean ended = process.waitFor(SESSION_SECONDS_MAX, SECONDS);
    process.destroyForcibly().waitFor();
    String said = Files.readString(out, UTF_8);
    assertThat(ended && process.exitValue() == 0)
        .as("%s%n%s%n%s", command, said, Files.readString(err, UTF_8))
        .isTrue();
    return said.lines().toList();
  }
}
