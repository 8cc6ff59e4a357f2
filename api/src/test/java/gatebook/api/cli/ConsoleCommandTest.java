package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ConsoleCommandTest {

  @TempDir private Path temp;

  @Test
  void theLinkIsPrinted() throws Exception {
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      CommandRun commandRun = run(new ConsoleCommand(Map.of(), () -> true), "--print");

      assertThat(commandRun.out())
          .matches("http://127\\.0\\.0\\.1:%d/#code=[A-Za-z0-9_-]{43}\n".formatted(port(node)));
      assertThat(commandRun).isEqualTo(new CommandRun(0, commandRun.out(), ""));
      assertThat(node.events())
          .containsExactly(
              new OperatorActed(
                  "operator", "operator.consoleLink", JsonValue.parse("{}"), null, true));
    }
  }

  @Test
  void atATerminalTheBrowserIsOpened() throws Exception {
    Path opened = temp.resolve("opened");
    Map<String, String> environment =
        Map.of("BROWSER", program("echo \"$@\" >'%s'".formatted(opened)));
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      assertThat(run(new ConsoleCommand(environment, () -> true)))
          .isEqualTo(
              new CommandRun(
                  0, "the console opens in the browser (--print prints its link instead)\n", ""));
      assertThat(Files.readString(opened))
          .matches("http://127\\.0\\.0\\.1:%d/#code=\\S{43}\n".formatted(port(node)));
    }
  }

  @Test
  void withoutBrowserOrTerminalTheLinkIsPrinted() throws Exception {
    Map<String, String> failing = Map.of("BROWSER", program("exit 1"));
    Map<String, String> working = Map.of("BROWSER", program("exit 0"));
    try (OperatorTestNode node = new OperatorTestNode(data())) {
      String link = "http://127.0.0.1:%d/#code=".formatted(port(node));

      assertThat(run(new ConsoleCommand(Map.of(), () -> true)).out()).startsWith(link);
      assertThat(run(new ConsoleCommand(failing, () -> true)).out()).startsWith(link);
      assertThat(run(new ConsoleCommand(working, () -> false)).out()).startsWith(link);
    }
  }

  @Test
  void theLinkHasTheAddressOfTheUrl() {
    try (FakeOperatorServer server = new FakeOperatorServer()) {
      server.returns(
          "operator.consoleLink", "{\"code\":\"abc\",\"expiresAt\":\"2026-01-02T03:05:05Z\"}");

      assertThat(server.run(new ConsoleCommand(), "--print").out())
          .matches("http://127\\.0\\.0\\.1:\\d+/#code=abc\n");
      assertThat(server.requests()).containsExactly("operator.consoleLink {}");
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsReported() {
    try (FakeOperatorServer server = new FakeOperatorServer()) {
      server.returnsError("operator.consoleLink", "not now");

      assertThat(server.run(new ConsoleCommand())).isEqualTo(new CommandRun(1, "", "not now\n"));
    }
    assertThat(run(new ConsoleCommand()).err()).contains("is no data directory");
  }

  private static int port(OperatorTestNode node) {
    return node.at(Port.ADMIN).port();
  }

  private CommandRun run(ConsoleCommand command, String... arguments) {
    return CommandRun.of(command, List.of("--data", data().toString()), arguments);
  }

  private Path data() {
    return temp.resolve("data");
  }

  private String program(String script) throws IOException {
    Path program = Files.createTempFile(temp, "browser", "");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }
}
