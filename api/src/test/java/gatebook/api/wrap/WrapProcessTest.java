package gatebook.api.wrap;

import static gatebook.api.wrap.Client.call;
import static gatebook.api.wrap.Client.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.process.StdioTestServer;
import gatebook.api.upstream.process.StdioTestServer.Mode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code ./gatebook wrap} as clients do. */
final class WrapProcessTest {

  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final Duration START = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void standardOutputCarriesTheProtocolAndNothingElse() throws Exception {
    Process wrap = wrap(StdioTestServer.command(Mode.SESSIONS));

    send(wrap, call(1, "complain", "") + "\n{not json\n" + call(2, "echo", "") + "\n");
    wrap.getOutputStream().close();
    List<String> heard = wrap.inputReader(UTF_8).lines().toList();

    assertThat(heard).hasSize(3).allSatisfy(line -> assertThat(json(line).isObject()).isTrue());
    assertThat(exitCode(wrap)).isZero();
    assertThat(err())
        .contains("without a configuration: everything is forwarded, and recorded")
        .contains("it hurts")
        .doesNotContain("hunter2hunter2");
    assertThat(RecordedEvents.names(directory.resolve("data")))
        .contains("MessageRefused", "CallForwarded", "CallAnswered");
  }

  @Test
  void missingProgramIsNamedAndWaitingRequestsAreAnswered() throws Exception {
    Process wrap = wrap(List.of("/no/such/program", "--flag"));

    send(wrap, call(1, "echo", "") + "\n" + call(2, "echo", "") + "\n");
    List<String> heard = wrap.inputReader(UTF_8).lines().toList();

    assertThat(heard)
        .extracting(line -> json(line).get("id").asInt())
        .containsExactlyInAnyOrder(1, 2);
    assertThat(heard).allSatisfy(line -> assertThat(json(line).has("error")).isTrue());
    assertThat(exitCode(wrap)).isEqualTo(127);
    assertThat(err())
        .contains("\"program\":\"/no/such/program\"")
        .contains("cannot be started (no such file or directory)");
  }

  @Test
  void signalStopsTheServerAndReturnsItsExitCode() throws Exception {
    Process wrap =
        wrap(
            List.of(
                "sh",
                "-c",
                """
                trap 'exit 6' TERM; echo '{"jsonrpc":"2.0","method":"ready"}'; while :; do \
                sleep 0.05; done\
                """));
    assertThat(receive(wrap.inputReader(UTF_8)))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","method":"ready"}\
            """);

    // Process.destroy would close its input too
    new ProcessBuilder("sh", "-c", "kill -TERM " + wrap.pid()).start().waitFor();

    assertThat(exitCode(wrap)).isEqualTo(6);
  }

  @Test
  void serverDoesNotOutliveGatebook() throws Exception {
    Process wrap = wrap(StdioTestServer.command(Mode.SESSIONS));
    send(wrap, call(1, "echo", "") + "\n");
    receive(wrap.inputReader(UTF_8));
    List<ProcessHandle> servers = wrap.descendants().toList();
    assertThat(servers).isNotEmpty();

    wrap.destroyForcibly();

    await().until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void unusableRulesAreRefusedBeforeTheServerStarts() throws Exception {
    Files.writeString(directory.resolve("gatebook.yaml"), "schema: 2\n");
    assertThat(exitCode(wrap(List.of("touch", "started")))).isEqualTo(1);
    Files.writeString(
        directory.resolve("gatebook.yaml"),
        "schema: 1\nsources: [{id: d, kind: demo}]\ngovernance: {defaults: {action: deny}}\n");
    assertThat(exitCode(wrap(List.of("touch", "started")))).isEqualTo(1);

    assertThat(err())
        .contains("gatebook.yaml:1:9: 'schema' must be 1")
        .contains("the configuration has to have one enabled source of kind mcp");
    assertThat(directory.resolve("started")).doesNotExist();
  }

  private Process wrap(List<String> server) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(LAUNCHER.toString(), "wrap", "--data", "data", "--"));
    command.addAll(server);
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("err").toFile()))
            .start();
    started.add(process);
    return process;
  }

  private String err() throws IOException {
    return Files.readString(directory.resolve("err"));
  }

  private static void send(Process wrap, String lines) throws IOException {
    OutputStream in = wrap.getOutputStream();
    in.write(lines.getBytes(UTF_8));
    in.flush();
  }

  private static String receive(BufferedReader out) throws IOException {
    return String.valueOf(out.readLine());
  }

  private static int exitCode(Process wrap) throws InterruptedException {
    assertThat(wrap.waitFor(START.toSeconds(), TimeUnit.SECONDS)).as("it ended").isTrue();
    return wrap.exitValue();
  }
}
