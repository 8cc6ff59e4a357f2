package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.lookup.LookupCommand;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class TokenCommandTest {

  @TempDir private Path temp;

  @Test
  void aRunningServerRefusesTheOldTokenAtOnce() throws Exception {
    Path data = data();
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      String old = node.token();

      assertThat(run(new TokenCommand(), "rotate", "--data", data.toString()))
          .isEqualTo(new CommandRun(0, output(data), ""));

      assertThat(run(new LookupCommand(), "x", "--data", data.toString(), "--token", old).err())
          .contains("does not accept this token");
      assertThat(run(new LookupCommand(), "x", "--data", data.toString()).out())
          .startsWith("not found");
      assertThat(stored(data)).isNotEqualTo(old).isEqualTo(node.token()).hasSize(43);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file(data))))
          .isEqualTo("rw-------");
      assertThat(node.events().getFirst())
          .isEqualTo(
              new OperatorActed(
                  "operator", "operator.rotateToken", JsonValue.parse("{}"), null, true));
    }
  }

  @Test
  void withoutAServerRotationIsDirectAndRecorded() throws Exception {
    Path data = data();
    new OperatorTestNode(data).close();
    String old = stored(data);

    assertThat(run(new TokenCommand(), "rotate", "--data", data.toString(), "--json"))
        .isEqualTo(
            new CommandRun(
                0, "{%n  \"file\" : \"%s\"%n}%n".formatted(file(data).toAbsolutePath()), ""));

    assertThat(stored(data)).isNotEqualTo(old);
    try (OperatorTestNode node = new OperatorTestNode(data)) {
      assertThat(node.token()).isEqualTo(stored(data));
      assertThat(node.events()).containsExactly(acted(System.getProperty("user.name")));
    }
  }

  @Test
  void anUnrecordableRotationIsNotDone() throws Exception {
    Path data = data();
    new OperatorTestNode(data).close();
    String old = stored(data);
    Files.delete(data.resolve("checkpoint.key"));

    CommandRun commandRun = run(new TokenCommand(), "rotate", "--data", data.toString());

    assertThat(commandRun.err())
        .startsWith("the token was not changed, because the change cannot be recorded: ")
        .hasLineCount(1);
    assertThat(commandRun.code()).isEqualTo(1);
    assertThat(stored(data)).isEqualTo(old);
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(run(new TokenCommand()).code()).isEqualTo(2);
    assertThat(run(new TokenCommand(), "rotate", "more").code()).isEqualTo(2);
    assertThat(run(new TokenCommand(), "rotate", "--db", "jdbc:x:y").code()).isEqualTo(2);
    assertThat(run(new TokenCommand(), "rotate", "--data", temp.resolve("no").toString()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "%s is no data directory: name one with --data, or a server with --url%n"
                    .formatted(temp.resolve("no"))));
    assertThat(temp.resolve("no")).doesNotExist();
  }

  private static OperatorActed acted(String operator) {
    return new OperatorActed(operator, "operator.rotateToken", null, null, true);
  }

  private static String output(Path data) {
    return "the new token is in %s%n".formatted(file(data).toAbsolutePath());
  }

  private Path data() {
    return temp.resolve("data");
  }

  private static Path file(Path data) {
    return data.resolve("operator.token");
  }

  private static String stored(Path data) throws IOException {
    return Files.readString(file(data)).strip();
  }

  private static CommandRun run(Object command, String... arguments) {
    return CommandRun.of(command, List.of(), arguments);
  }
}
