package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.Event;
import gatebook.events.WrappingKeyRotated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class KeysCommandTest {

  @TempDir private Path temp;

  @Test
  void aRunningServerReplacesTheWrappingKey() throws Exception {
    try (OperatorTestNode node = new OperatorTestNode(temp.resolve("data"))) {
      String before = stored();

      CommandRun commandRun = rotate("wrapping");

      assertThat(commandRun.err()).isEmpty();
      assertThat(stored()).isNotEqualTo(before);
      assertRotated(node.events(), "operator", commandRun);
    }
  }

  @Test
  void withoutAServerRotationIsDirectAndRecorded() throws Exception {
    new OperatorTestNode(temp.resolve("data")).close();
    String before = stored();

    CommandRun commandRun = rotate("wrapping");

    assertThat(commandRun.err()).isEmpty();
    assertThat(stored()).isNotEqualTo(before);
    try (OperatorTestNode node = new OperatorTestNode(temp.resolve("data"))) {
      assertRotated(node.events(), System.getProperty("user.name"), commandRun);
    }
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(CommandRun.of(new KeysCommand(), List.of()).code()).isEqualTo(2);
    assertThat(rotate("other").code()).isEqualTo(2);
    assertThat(rotate("wrapping").err()).contains("is no data directory");
  }

  private static void assertRotated(List<Event> events, String operator, CommandRun commandRun) {
    assertThat(events)
        .filteredOn(WrappingKeyRotated.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            WrappingKeyRotated.class,
            rotated -> {
              assertThat(rotated.operator()).isEqualTo(operator);
              assertThat(commandRun.out())
                  .isEqualTo(
                      "the wrapping key %s was destroyed, and %s is in use%n"
                          .formatted(rotated.before(), rotated.after()));
            });
  }

  private String stored() throws IOException {
    return Files.readString(temp.resolve("data/keys/wrapping.key"));
  }

  private CommandRun rotate(String key) {
    return CommandRun.of(
        new KeysCommand(), List.of(), "rotate", key, "--data", temp.resolve("data").toString());
  }
}
