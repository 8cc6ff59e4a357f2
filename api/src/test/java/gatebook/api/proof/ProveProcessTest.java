package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code gatebook prove} where it cannot write. */
@Order(2)
@Timeout(300)
final class ProveProcessTest {
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      """
          + NodeCaller.people("view, arguments, admin");

  @TempDir private Path temp;

  @Test
  void nothingIsLeftOnAFullDisk() throws Exception {
    Path disk = Files.createDirectory(temp.resolve("disk"));
    List<String> command = new ArrayList<>(Requires.disk(disk, "4k"));
    try (WatchedNode node = WatchedNode.start(Files.createDirectory(temp.resolve("n")), RULES)) {
      var _ = node.joe().send("/mcp", "proved", WatchedNode.toolCall("echo"));
      command.addAll(
          List.of(
              "sh",
              "-c",
              "\"$0\" \"$@\"; echo \"exit $? left: $(ls -A \"%s\")\"".formatted(disk),
              Path.of(System.getProperty("gatebook.root"), "gatebook").toString(),
              "prove",
              "proved",
              "--url",
              "http://127.0.0.1:%d".formatted(node.at(Port.ADMIN).port()),
              "--token",
              NodeCaller.ALICE,
              "-o",
              disk.resolve("case.zip").toString()));

      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();

      assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
          .isEqualTo(
              """
              cannot write the case file %s: no space left on device
              exit 1 left:\s
              """
                  .formatted(disk.resolve("case.zip")));
    }
  }
}
