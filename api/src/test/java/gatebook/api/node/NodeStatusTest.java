package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.journal.Journals;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The method {@code node.status} of a node whose journal is in a shared database. */
final class NodeStatusTest {

  @Test
  void sharedJournalTakesNothingOfTheNodesDisk(@TempDir Path folder) throws IOException {
    String rules =
        """
        schema: 1
        sources:
          - {id: demo, kind: demo}
          - {id: tools, kind: mcp, url: "http://127.0.0.1:1/mcp", prefix: t_, enabled: false}
        governance: {defaults: {action: forward}}
        operators: [{name: alice, token_hash: "%s", roles: [view]}]
        """
            .formatted(WatchedNode.hash(NodeCaller.ALICE));
    try (WatchedNode node = WatchedNode.start(folder, rules, Journals.freshSchema())) {
      JsonNode status = node.operator(NodeCaller.ALICE, "node.status", "{}").path("result");

      assertThat(status.at("/journal/bytes").asLong()).isPositive();
      assertThat(status.at("/disk/journalBytes").isNull()).isTrue();
      assertThat(status.at("/disk/growthBytesPerDay").isNull()).isTrue();
      assertThat(status.at("/disk/viewsBytes").asLong()).isPositive();
      assertThat(status.path("sources").toString())
          .isEqualTo(
              """
              [{"id":"demo","kind":"demo","enabled":true,"calls":null,"errors":null,"failing":null,\
              "p50Millis":null,"p99Millis":null},{"id":"tools","kind":"mcp","enabled":false,\
              "calls":0,"errors":0,"failing":false,"p50Millis":null,"p99Millis":null}]\
              """);
    }
  }
}
