package gatebook.api.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.operator.rpc.OperatorTestNodes;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.JournalOutage;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.kept.KeptEvents;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What operators are told when an answer would need events that were dropped. */
@Timeout(300)
final class DroppedEventsAnswersTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:00:00Z");
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
      append(journal, AT, new JournalOutage(AT, AT, "disk full", 1, 0));
      for (int i = 0; i < CALLS; i++) {
        append(journal, AT.plusSeconds(60L * i), denied(call(i)));
      }
      TestDrops.dropOldest(TestDrops.of(journal, new KeptEvents(() -> Instant.MAX)));
    }
    return new OperatorTestNode(data);
  }

  private static void append(Journal journal, Instant at, Event... events) {
    EventVocabulary vocabulary = MemoryContentKeys.vocabulary();
    var _ =
        journal
            .append(
                ConflictCondition.none(),
                Arrays.stream(events).map(event -> vocabulary.draft(event, at)).toList())
            .join();
  }

  @BeforeEach
  void readTime() {
    through = node.journal().droppedThrough().orElseThrow().at().toString();
  }

  @Test
  void aLookupOfADroppedCallSaysThroughWhichTime() throws Exception {
    JsonNode found = result("audit.lookup", "{\"id\":\"%s\"}".formatted(call(0)));

    assertThat(found.path("notFound").path("reason").textValue()).isEqualTo("dropped");
    assertThat(found.path("droppedThrough").textValue()).isEqualTo(through);
    JsonNode kept = result("audit.lookup", "{\"id\":\"%s\"}".formatted(call(CALLS - 1)));
    assertThat(kept.path("calls").size()).isEqualTo(1);
    assertThat(kept.has("droppedThrough")).isFalse();
  }

  @Test
  void aRedecisionOfADroppedCallIsNotReplayable() throws Exception {
    JsonNode answer = result("audit.replayCall", "{\"id\":\"%s\"}".formatted(call(0)));

    assertThat(answer.path("notReplayable").path("reason").textValue()).isEqualTo("dropped");
    assertThat(answer.path("notReplayable").path("message").textValue())
        .endsWith("; events were dropped through " + through);
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
  void theProofOfADroppedEventSaysWhy() throws Exception {
    String answer = node.call(call("audit.proof", "{\"position\":2}"));

    assertThat(JSON.readTree(answer).path("error").path("message").textValue())
        .isEqualTo("no event is at this position; events were dropped through " + through);
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

  private static UUID call(int number) {
    return new UUID(0x0192_0000_0000_7000L, 0x8000_0000_0000_0000L + number);
  }

  private static Event[] denied(UUID call) {
    Ruling ruling =
        new Ruling.Governance(
            new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "*_file", 1);
    return new Event[] {
      ReceivedCall.of(call, AT).by("ada").to("files", "delete_file").event(),
      new GateDenied(call, "rules", "delete_file", "ada", List.of(ruling)),
      new ErrorTranslated(
          call,
          "delete_file",
          new Denied.GovernanceRuleDenied("delete_file", "*_file", false),
          new ErrorResponse(Dialect.MCP, -32_003, "no", null, 200),
          0,
          null,
          3)
    };
  }
}
