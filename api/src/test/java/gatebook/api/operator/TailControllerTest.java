package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.gateway.BearerToken;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.operator.rpc.OperatorTestNodes;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Limit;
import gatebook.events.CallAnswered;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.JournalOutage;
import gatebook.events.OperatorActed;
import gatebook.events.ReceivedCall;
import gatebook.events.RulesActivated;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class TailControllerTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID OTHER = UUID.fromString("0192bbbb-0000-7000-8000-00000000abcd");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final String ORIGINAL = "{\"now\":[]}";
  private static final JournalOutage OUTAGE =
      new JournalOutage(Instant.EPOCH, Instant.EPOCH, "disk full", 3, 0);
  private static final String VIEWER = "operator-viewer-0123456789";
  private static final String APPROVER = "operator-approver-0123456789";
  private static final List<KnownOperator> OPERATORS =
      List.of(
          new KnownOperator("viewer", BearerToken.hash(VIEWER), Set.of(Role.VIEW)),
          new KnownOperator("approver", BearerToken.hash(APPROVER), EnumSet.of(Role.APPROVE)));
  private static final int READERS_MAX = 2;
  private static final int STALLED_MILLIS_MAX = 1_000;
  private static final int PAYLOAD_CHARS = 8_000;
  private static final int MANY = 2_500;

  @RegisterExtension
  static final OperatorTestNodes NODES =
      new OperatorTestNodes(data -> node(data, GatewayLimits.DEFAULT));

  private OperatorTestNode node = NODES.shared();

  @Test
  void aStreamEndsOnceItsTokenIsChanged() throws Exception {
    node = NODES.own();
    try (TailStream stream = TailStream.following(node, "?name=JournalOutage")) {
      String rotated =
          node.call(
              """
              {"jsonrpc":"2.0","id":1,"method":"operator.rotateToken"}\
              """);
      node.append(OUTAGE);

      assertThat(rotated).contains("operator.token");
      assertThat(stream.block()).isEmpty();
    }
  }

  @Test
  void anEventArrivesWhileItsReaderWaits() throws Exception {
    node = NODES.own();
    try (TailStream stream = TailStream.following(node, "")) {
      node.append(received(CALL, "alice"));

      String block = stream.block().orElseThrow();
      assertThat(block)
          .startsWith("id: 2\nevent: CallReceived\ndata: {\"position\":2,")
          .hasLineCount(3);
      Map<String, Object> event = parsed(block.substring(block.indexOf('{')));
      Map<?, ?> recorded = (Map<?, ?>) event.remove("data");
      assertThat(event)
          .isEqualTo(
              Map.of(
                  "position",
                  2,
                  "name",
                  "CallReceived",
                  "at",
                  "2026-01-02T03:04:05.000000006Z",
                  "node",
                  node.journal().read(1, 1).getFirst().node(),
                  "callId",
                  CALL.toString()));
      Map<String, Object> stored =
          parsed(
              new String(
                  node.vocabulary().open(node.journal().read(1, 1).getFirst()).json(), UTF_8));
      assertThat(stored.remove("original")).isNotNull();
      assertThat(recorded).isEqualTo(stored);
      assertThat(stream.response().headers().map())
          .containsEntry("content-type", List.of("text/event-stream"))
          .containsEntry("cache-control", List.of("no-store"))
          .containsEntry("x-accel-buffering", List.of("no"));
    }
  }

  @Test
  void followingIsRecordedBeforeAnythingIsSent() throws Exception {
    String query =
        "?name=GateDenied&name=gatebook.CallReceived&principal=a%20b&after=0&callId="
            + CALL.toString().replace("-", "");
    TailStream.following(node, query).close();

    assertThat(node.events())
        .containsExactly(
            new OperatorActed(
                "operator",
                "operator.tail",
                JsonValue.parse(
                    """
                    {"name":["gatebook.CallReceived","gatebook.GateDenied"],\
                    "callId":"0192aaaa-0000-7000-8000-00000000abcd",\
                    "principal":"a b","after":0}\
                    """),
                CALL,
                true));
  }

  @Test
  void aReconnectedReaderMissesAndRepeatsNothing() throws Exception {
    node = NODES.own();
    List<Long> seen = new ArrayList<>();
    long last = 0;
    for (int i = 0; i < 20; i++) {
      node.append(received(CALL, "alice"), received(OTHER, "bob"));
      try (TailStream stream = TailStream.following(node, "?after=0", "Last-Event-ID", "" + last)) {
        node.append(received(CALL, "carol"));
        seen.addAll(stream.positions(1 + i % 4));
        last = seen.getLast();
      }
    }

    assertThat(seen).isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
  }

  @Test
  void onlyMatchingEventsAreSent() throws Exception {
    node = NODES.own();
    node.append(
        received(CALL, "alice"), received(OTHER, "bob"), answered(OTHER), answered(CALL), OUTAGE);

    assertThat(positions("?after=0&name=CallReceived", 2)).containsExactly(1L, 2L);
    assertThat(positions("?after=0&name=CallReceived&name=JournalOutage", 3))
        .containsExactly(1L, 2L, 5L);
    assertThat(positions("?after=0&callId=" + CALL, 2)).containsExactly(1L, 4L);
    assertThat(positions("?after=0&principal=bob", 2)).containsExactly(2L, 3L);
    assertThat(positions("?after=2&principal=bob", 1)).containsExactly(3L);
    assertThat(positions("?after=0&principal=bob&name=CallAnswered", 1)).containsExactly(3L);
  }

  @Test
  void contentsRequireTheRoleAndSealedOnesAreNeverSent() throws Exception {
    node = NODES.own();
    node.append(
        received(CALL, "alice"),
        answered(CALL),
        new RulesActivated("rules", "the text", List.of(), null, "1"));

    try (TailStream mayAll = TailStream.following(node, "?after=0");
        TailStream mayLook = TailStream.followingAs(node, VIEWER, "?after=0")) {
      assertThat(mayAll.event().at("/data/arguments/redacted").toString())
          .isEqualTo("{\"now\":[]}");
      assertThat(mayAll.event().at("/data/result/redacted").toString()).isEqualTo("{\"it\":1}");
      assertThat(mayAll.event().at("/data/rules").textValue()).isEqualTo("the text");
      assertThat(mayLook.event().path("data").toString())
          .doesNotContain("arguments", "original", "now");
      assertThat(mayLook.event().at("/data/result").toString())
          .contains("\"sizeBytes\":9")
          .doesNotContain("redacted");
      assertThat(mayLook.event().path("data").toString())
          .isEqualTo(
              """
              {"rulesHash":"rules","engineVersion":"1"}\
              """);
    }
    try (TailStream mayAll = TailStream.following(node, "?after=0")) {
      assertThat(mayAll.event().path("data").has("original")).isFalse();
    }
  }

  @Test
  void aStalledReaderIsDisconnected() throws Exception {
    node = NODES.own(data -> node(data, oneReaderMax()));
    String text = "x".repeat(PAYLOAD_CHARS);
    try (TailStream stream = TailStream.following(node, "")) {
      Event[] events = new Event[MANY];
      Arrays.setAll(events, _ -> received(CALL, text));
      node.append(events);

      await().until(() -> status("") == 200);
      assertThatThrownBy(() -> stream.positions(MANY)).isNotNull();
    }
  }

  @Test
  void aReaderIsDisconnectedByAnErrorOfTheJvm() throws Exception {
    AtomicBoolean isFailing = new AtomicBoolean();
    node =
        NODES.own(data ->
            new OperatorTestNode(
                data,
                () -> {
                  if (isFailing.get()) {
                    throw new StackOverflowError();
                  }
                  return OPERATORS;
                },
                Optional.empty()));
    try (TailStream stream = TailStream.followingAs(node, VIEWER, "?name=JournalOutage")) {
      isFailing.set(true);
      node.append(OUTAGE);

      assertThatThrownBy(stream::block).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anIdleReaderIsNotDisconnected() throws Exception {
    node = NODES.own(data -> node(data, oneReaderMax()));
    try (TailStream stream = TailStream.following(node, "?name=JournalOutage")) {
      await()
          .during(Duration.ofMillis(3 * STALLED_MILLIS_MAX))
          .until(() -> status("") == 503); // the limit is one reader
      node.append(OUTAGE);

      assertThat(stream.event().path("name").textValue()).isEqualTo("JournalOutage");
    }
  }

  @Test
  void theNumberOfReadersIsLimited() throws Exception {
    node =
        NODES.own(
            data -> node(data, GatewayLimits.DEFAULT.with(Limit.TAIL_READERS_MAX, READERS_MAX)));
    TailStream first = TailStream.following(node, "");
    try (TailStream second = TailStream.following(node, "");
        TailStream third = new TailStream(node, node.token(), "")) {
      assertThat(third.response().statusCode()).isEqualTo(503);
      assertThat(third.refusal())
          .isEqualTo(
              "2 tail readers are connected, which is the limit (limits: tail_readers_max): end"
                  + " one of them");

      first.close();

      await().until(() -> status("") == 200);
      node.append(received(CALL, "alice"));
      assertThat(second.event().path("node").isTextual()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"wrong", "", "x y"})
  void aRequestWithoutATokenIsUnauthorized(String token) throws Exception {
    for (String query : List.of("", "?after=x", "?no=such")) {
      try (TailStream stream = new TailStream(node, token, query)) {
        assertThat(stream.response().statusCode()).isEqualTo(401);
        assertThat(stream.refusal()).isEqualTo("unauthorized");
      }
    }
    assertThat(node.events()).isEmpty();
  }

  @Test
  void aRefusalForAMissingRoleIsRecorded() throws Exception {
    try (TailStream stream = new TailStream(node, APPROVER, "")) {
      assertThat(stream.response().statusCode()).isEqualTo(403);
      assertThat(stream.refusal()).isEqualTo("this requires the role view: ask an admin");
    }
    assertThat(node.events())
        .containsExactly(
            new OperatorActed("approver", "operator.tail", JsonValue.parse("{}"), null, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?after=-1|after, or Last-Event-ID, must be a whole number from 0",
        "?after=1234567890123456789|after, or Last-Event-ID, must be a whole number from 0",
        "?after=|after, or Last-Event-ID, must be a whole number from 0",
        "?name=NoSuch|name must be the name of an event, as in GateDenied",
        "?name=|name must be the name of an event, as in GateDenied",
        "?callId=7|callId must be given once: the id of a call: 32 hex digits, with dashes or"
            + " without",
        "?principal=a&principal=b|principal must be given once: a string of 1 to 1024 characters",
        "?principal=|principal must be given once: a string of 1 to 1024 characters",
        "?Name=x|the tail takes only the parameters name, callId, principal, after"
      })
  void anInvalidQueryIsRefused(String query, String sentence) throws Exception {
    try (TailStream stream = new TailStream(node, node.token(), query)) {
      assertThat(stream.response().statusCode()).isEqualTo(400);
      assertThat(stream.refusal()).isEqualTo(sentence);
    }
    assertThat(node.events()).isEmpty();
  }

  @Test
  void anUnrecordableRequestIsRefused() throws Exception {
    node = NODES.own();
    node.journal().close();

    try (TailStream stream = new TailStream(node, node.token(), "?after=0")) {
      assertThat(stream.response().statusCode()).isEqualTo(503);
      assertThat(stream.refusal())
          .isEqualTo(
              "events are shown only when the request can be recorded, and the journal"
                  + " refuses it: the journal is closed");
    }
  }

  @Test
  void stoppingTheNodeCompletesItsStreams() {
    // streams complete before all connections are closed; a busy machine may need several tries
    await()
        .until(
            TailControllerTest::measureStop,
            stopping -> stopping.compareTo(Duration.ofMillis(4_500)) < 0);
  }

  /** How long it took until the reader's stream completed. */
  private static Duration measureStop() throws Exception {
    OperatorTestNode stopped = NODES.own();
    try (TailStream stream = TailStream.following(stopped, "")) {
      long stopping = System.nanoTime();
      stopped.close();

      assertThat(stream.block()).isEmpty();
      return Duration.ofNanos(System.nanoTime() - stopping);
    }
  }

  private static Map<String, Object> parsed(String json) throws IOException {
    return new JsonMapper().readValue(json, new TypeReference<>() {});
  }

  private List<Long> positions(String query, int events) throws Exception {
    try (TailStream stream = TailStream.following(node, query)) {
      return stream.positions(events);
    }
  }

  private int status(String query) throws Exception {
    try (TailStream stream = new TailStream(node, node.token(), query)) {
      return stream.response().statusCode();
    }
  }

  private static OperatorTestNode node(Path data, GatewayLimits gatewayLimits) throws IOException {
    return new OperatorTestNode(data, () -> OPERATORS, Optional.empty(), gatewayLimits);
  }

  private static GatewayLimits oneReaderMax() {
    return GatewayLimits.DEFAULT
        .with(Limit.TAIL_READERS_MAX, 1)
        .with(Limit.TAIL_STALLED_MILLIS_MAX, STALLED_MILLIS_MAX);
  }

  static CallReceived received(UUID call, String principal) {
    return ReceivedCall.of(call, OperatorTestNode.AT)
        .by(principal)
        .to("demo", "pay")
        .with(new KeptContent(9, DIGEST, JsonValue.parse("{\"now\":[]}"), null), ORIGINAL)
        .event();
  }

  private static CallAnswered answered(UUID call) {
    return new CallAnswered(
        call,
        CallAnswered.Outcome.SUCCESS,
        new KeptContent(9, DIGEST, JsonValue.parse("{\"it\":1}"), null),
        1,
        null,
        3);
  }
}
