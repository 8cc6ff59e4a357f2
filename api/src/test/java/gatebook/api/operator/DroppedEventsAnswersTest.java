package gatebook.api.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.node.casefile.CaseCheckers;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.operator.rpc.OperatorTestNodes;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.kept.KeptEvents;
import gatebook.events.keys.MemoryContentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What operators are told when an answer would need events that were dropped. */
@Timeout(300)
final class DroppedEventsAnswersTest {
  private static final int CALLS = 60;
  private static final long SEGMENT_BYTES = 20_000;
  private static final JsonMapper JSON = new JsonMapper();

  @RegisterExtension
  static final OperatorTestNodes NODES =
      new OperatorTestNodes(DroppedEventsAnswersTest::nodeWithoutOldEvents);

  private final OperatorTestNode node = NODES.shared("dropped", _ -> {});
  private String through;

  /** Appends denied calls, one a minute, and drops the events of the first segment. */
  private static OperatorTestNode nodeWithoutOldEvents(Path data) throws IOException {
    try (var _ = ((DataDirectory.Opening.Opened) DataDirectory.open(data)).directory();
        Journal journal =
            Journals.opened(
                Journals.withSegments(
                    new JournalPlace(data, Optional.empty())
                        .settings(JournalSection.DEFAULT, Map.of()),
                    SEGMENT_BYTES))) {
      OldDenials.append(journal, MemoryContentKeys.vocabulary(), CALLS);
      TestDrops.dropOldest(TestDrops.of(journal, new KeptEvents(() -> Instant.MAX)));
    }
    return new OperatorTestNode(data);
  }

  @BeforeEach
  void readTime() {
    through = node.journal().droppedThrough().orElseThrow().at().toString();
  }

  @Test
  void aLookupOfADroppedCallSaysThroughWhichTime() throws Exception {
    JsonNode found = result("audit.lookup", "{\"id\":\"%s\"}".formatted(OldDenials.call(0)));

    assertThat(found.path("notFound").path("reason").textValue()).isEqualTo("dropped");
    assertThat(found.path("droppedThrough").textValue()).isEqualTo(through);
    JsonNode kept = result("audit.lookup", "{\"id\":\"%s\"}".formatted(OldDenials.call(CALLS - 1)));
    assertThat(kept.path("calls").size()).isEqualTo(1);
    assertThat(kept.has("droppedThrough")).isFalse();
  }

  @Test
  void aRedecisionOfADroppedCallIsNotReplayable() throws Exception {
    JsonNode answer = result("audit.replayCall", "{\"id\":\"%s\"}".formatted(OldDenials.call(0)));

    assertThat(answer.path("notReplayable").path("reason").textValue()).isEqualTo("dropped");
    assertThat(answer.path("notReplayable").path("message").textValue())
        .endsWith("; events were dropped through " + through);
    assertThat(answer.path("notReplayable").path("droppedThrough").textValue()).isEqualTo(through);
  }

  @Test
  void countsThatLackDroppedEventsSaySo() throws Exception {
    JsonNode byGate = result("audit.denials", "{}");
    JsonNode byPrincipal = result("audit.denials", "{\"by\":[\"principal\"]}");

    assertThat(byGate.path("total").longValue()).isEqualTo(CALLS);
    assertThat(byGate.has("droppedThrough")).isFalse();
    assertThat(byPrincipal.path("total").longValue()).isBetween(1L, CALLS - 1L);
    assertThat(byPrincipal.path("droppedThrough").textValue()).isEqualTo(through);
    assertThat(result("audit.denials", since("03:00:01")).has("droppedThrough")).isTrue();
    assertThat(result("audit.denials", since("03:59:01")).has("droppedThrough")).isFalse();
  }

  private static String since(String time) {
    return "{\"since\":\"2026-01-02T%sZ\"}".formatted(time);
  }

  @Test
  void listsThatReachBeforeSaySo() throws Exception {
    for (String method : List.of("audit.calls", "audit.deniedCalls", "audit.failedCalls")) {
      assertThat(result(method, "{}").path("droppedThrough").textValue()).isEqualTo(through);
      assertThat(result(method, since("03:59:00")).has("droppedThrough")).isFalse();
    }
    assertThat(result("audit.trees", "{}").path("droppedThrough").textValue()).isEqualTo(through);
    assertThat(result("rules.history", "{}").path("droppedThrough").textValue()).isEqualTo(through);
  }

  @Test
  void errorsAboutWhatIsNotThereSaySo() throws Exception {
    String callId = "{\"callId\":\"%s\"}".formatted(OldDenials.call(0));
    Map<String, String> sentences =
        Map.of(
            call("audit.proof", "{\"position\":2}"),
            "no event is at this position",
            call("audit.proof", callId),
            "no call has this id",
            call("rules.text", "{\"hash\":\"gone\"}"),
            "no rules of this hash were activated: rules.history lists all that were",
            call("rules.excerpt", callId),
            "nothing is recorded of this call",
            call("audit.replayCall", "{\"id\":\"order-6\"}"),
            "no call up to position %d has this id");
    for (Map.Entry<String, String> asked : sentences.entrySet()) {
      long head = node.journal().head();
      JsonNode error = JSON.readTree(node.call(asked.getKey())).path("error");

      assertThat(error.path("message").textValue())
          .isEqualTo(asked.getValue().formatted(head) + "; events were dropped through " + through);
      assertThat(error.at("/data/droppedThrough").textValue()).isEqualTo(through);
    }
  }

  @Test
  void theStatusOfTheNodeHasTheTime() throws Exception {
    assertThat(result("node.status", "{}").at("/journal/droppedThrough").textValue())
        .isEqualTo(through);
  }

  /** The id of a call says when it began. */
  @Test
  void caseFilesSayThroughWhichTimeEventsWereDropped(@TempDir Path checker) throws Exception {
    String id = "{\"id\":\"%s\"}";
    JsonNode refused =
        JSON.readTree(node.call(call("audit.case", id.formatted(OldDenials.call(0)))));
    JsonNode kept = result("audit.case", id.formatted(OldDenials.call(CALLS - 1)));

    assertThat(refused.at("/error/message").asText())
        .endsWith("; events were dropped through " + through);
    assertThat(kept.path("droppedThrough").textValue()).isEqualTo(through);
    assertThat(kept.path("notShown").toString())
        .contains("{\"part\":\"rules\",\"of\":\"rules\",\"reason\":\"dropped\"}");
    byte[] file = Base64.getDecoder().decode(kept.path("file").asText());
    CaseVerdict.Accepted accepted =
        CaseCheckers.in(checker).accepted(file, node.journal().verifier());
    assertThat(accepted.dropped()).contains(through);
    assertThat(accepted.events()).hasSize(3);
  }

  @Test
  void theTailSaysWhatIsDroppedAfterItsPosition() throws Exception {
    try (TailStream stream = new TailStream(node, node.token(), "?after=1")) {
      assertThat(stream.block().orElseThrow())
          .startsWith(": following; events were dropped through %s\n".formatted(through));
    }
  }

  private JsonNode result(String method, String params) throws Exception {
    return JSON.readTree(node.call(call(method, params))).path("result");
  }

  private static String call(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }
}
