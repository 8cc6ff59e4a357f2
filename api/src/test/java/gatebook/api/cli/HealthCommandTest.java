package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code health} on a node that is not ready. */
final class HealthCommandTest {

  @Test
  void aNodeThatIsNotReadySaysWhy(@TempDir Path folder) throws IOException {
    try (WatchedNode node = WatchedNode.startUnderAnyRules(folder, "schema: 2")) {
      CommandRun text = health(node);
      CommandRun json = health(node, "--json");

      assertThat(text.out()).startsWith("not ready: ").contains("rules check");
      assertThat(json.out()).contains("\"status\" : \"not_ready\"");
      assertThat(List.of(text.code(), json.code())).containsOnly(1);
    }
  }

  private static CommandRun health(WatchedNode node, String... arguments) {
    return CommandRun.of(new HealthCommand(), List.of("--data", node.data().toString()), arguments);
  }
}
