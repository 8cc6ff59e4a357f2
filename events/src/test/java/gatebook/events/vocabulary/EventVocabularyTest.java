package gatebook.events.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.Event;
import gatebook.events.Named;
import gatebook.events.OperatorActed;
import gatebook.events.ResultKept;
import gatebook.events.TreeEvent;
import gatebook.events.bench.SampleCalls;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.MemoryContentKeys;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.messaging.core.MessageType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventVocabularyTest {
  private static final CallOrphaned ORPHANED = new CallOrphaned(Samples.CALL, "node-b", true);
  private static final String ID = "\"callId\":\"" + Samples.CALL + "\"";
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  @Test
  void anUnknownNameSaysWhatToDo() {
    assertThatThrownBy(() -> read("CallVanished", "1", "{}"))
        .isInstanceOf(UnreadableEvent.class)
        .hasMessage(
            "gatebook.CallVanished is no event of this vocabulary: read the journal with the"
                + " gatebook that wrote it, or a newer one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2", "01", "0.0.1", "one"})
  void anUnknownVersionSaysWhatToDo(String version) {
    assertThatThrownBy(() -> read("CallOrphaned", version, "{}"))
        .isInstanceOf(UnreadableEvent.class)
        .hasMessage(
            "version %s of gatebook.CallOrphaned is not known, only 1 to 1: read the journal with"
                + " the gatebook that wrote it, or a newer one",
            version);
  }

  @Test
  void aMemberThatIsMissingIsNamed() {
    assertThatThrownBy(() -> read("CallOrphaned", "1", "{ID,\"forwarded\":true}"))
        .isInstanceOf(UnreadableEvent.class)
        .hasMessageStartingWith("cannot read CallOrphaned: ")
        .hasMessageContaining("'deadNode'");
  }

  @Test
  void aMemberThatIsNullIsNamed() {
    assertThatThrownBy(() ->
            read(
                "CallOrphaned",
                "1",
                """
                {ID,"deadNode":null,"forwarded":true}\
                """))
        .isInstanceOf(UnreadableEvent.class)
        .hasMessageContaining("deadNode");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        """
        {ID,"deadNode":"b","forwarded":"true"}\
        """,
        """
        {ID,"deadNode":"b","forwarded":1}\
        """,
        """
        {ID,"deadNode":7,"forwarded":true}\
        """,
        """
        {ID,"deadNode":"b","forwarded":true} {}\
        """
      })
  void whatIsNotTheEventIsRefused(String json) {
    assertThatThrownBy(() -> read("CallOrphaned", "1", json)).isInstanceOf(UnreadableEvent.class);
  }

  @Test
  void aMemberOfALaterVersionIsIgnored() {
    var json =
        """
        {ID,"region":{"x":[1]},"deadNode":"node-b","forwarded":true}\
        """;

    assertThat(read("CallOrphaned", "1", json)).isEqualTo(ORPHANED);
  }

  @Test
  void aFaultOfALaterVersionIsRefused() {
    var json =
        """
        {ID,"fault":{"kind":"Melted"},"told":{"dialect":"mcp","code":-32603,"message":"m"},
        "attempts":0,"totalMillis":1}\
        """;

    assertThatThrownBy(() -> read("ErrorTranslated", "1", json))
        .isInstanceOf(UnreadableEvent.class)
        .hasMessageContaining("Melted");
  }

  @Test
  void aDenialWithoutADenyingGateIsRefused() {
    var json =
        """
        {ID,"rulesHash":"aa","principal":"ci","rulings":[]}\
        """;

    assertThatThrownBy(() -> read("GateDenied", "1", json))
        .isInstanceOf(UnreadableEvent.class)
        .hasMessageContaining("the last ruling of a denied call is a denial");
  }

  @Test
  void aLoneSurrogateIsWrittenAsAQuestionMark() {
    var written = eventVocabulary.write(new CallOrphaned(Samples.CALL, "node-\ud83d", true));

    assertThat(eventVocabulary.read(CallOrphaned.class, written))
        .isEqualTo(new CallOrphaned(Samples.CALL, "node-?", true));
  }

  @Test
  void anEventOfThisProcessIsNotParsedAgain() {
    assertThat(eventVocabulary.read(stored(ORPHANED, ORPHANED))).isSameAs(ORPHANED);
    assertThat(eventVocabulary.read(stored(ORPHANED, null)))
        .isNotSameAs(ORPHANED)
        .isEqualTo(ORPHANED);
  }

  @Test
  void anEventWrittenWithLossIsReadAsStored() {
    var halved = new CallOrphaned(Samples.CALL, "node-\ud83d", true);

    Entry entry = eventVocabulary.draft(halved, Instant.EPOCH).toEntry(1, "node");

    assertThat(eventVocabulary.read(entry))
        .isEqualTo(new CallOrphaned(Samples.CALL, "node-?", true));
  }

  @ParameterizedTest
  @MethodSource("contentWithLoss")
  void contentWrittenWithLossIsReadAsStored(Event event, Event asStored) {
    EventVocabulary sealing = MemoryContentKeys.vocabulary();

    Entry entry = sealing.draft(event, Instant.EPOCH).toEntry(1, "node");

    assertThat(sealing.read(entry)).isEqualTo(asStored);
  }

  static Stream<Arguments> contentWithLoss() {
    return Stream.of(
        Arguments.of(kept("a\ude00\ud83d"), kept("a??")),
        Arguments.of(forwarded("a\ud83d\ude00\ud83d"), forwarded("a\ud83d\ude00?")));
  }

  private static ResultKept kept(String text) {
    return new ResultKept(Samples.CALL, "t", 1, 1, text);
  }

  private static CallForwarded forwarded(String afterFailure) {
    return new CallForwarded(Samples.CALL, 1, "s", "e", 1, afterFailure);
  }

  /**
   * Half of what it takes to write content twice; a JVM without its second compiler needs more. The
   * JVM itself allocates once on this thread when it links what is called often, in one round.
   */
  @Test
  void draftingADeniedCallAllocatesLittle() {
    EventVocabulary sealing = MemoryContentKeys.vocabulary();
    List<Event> events = SampleCalls.events(0, Samples.NOON);

    long least =
        LongStream.range(0, 5).map(_ -> allocatedByDrafting(sealing, events)).min().orElseThrow();

    assertThat(least).isLessThan(28_000);
  }

  private static long allocatedByDrafting(EventVocabulary sealing, List<Event> events) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100; i++) {
      events.forEach(event -> sealing.draft(event, Samples.NOON));
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / 100;
  }

  @Test
  void anEntryIsReadOnlyAsItsTypeAndVersion() {
    Entry entry = stored(ORPHANED, null);

    assertThat(eventVocabulary.readIfPossible(entry, CallEvent.class)).contains(ORPHANED);
    assertThat(eventVocabulary.readIfPossible(entry, TreeEvent.class)).isEmpty();
    assertThat(readIfPossible("99", entry.payload())).isEmpty();
    assertThat(readIfPossible("", entry.payload())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "[]", "", "7"})
  void anUnreadablePayloadIsReadAsNoEvent(String json) {
    assertThat(readIfPossible("1", json(json))).isEmpty();
  }

  private Optional<CallEvent> readIfPossible(String version, byte[] payload) {
    Entry entry = stored(ORPHANED, version, payload, null);
    return eventVocabulary.readIfPossible(entry, CallEvent.class);
  }

  /** The bytes count, also in the process that wrote them. */
  @Test
  void anEntryOfThisProcessIsReadFromItsBytes() {
    assertThat(eventVocabulary.readIfPossible(stored(ORPHANED, ORPHANED), CallOrphaned.class))
        .hasValueSatisfying(event -> assertThat(event).isEqualTo(ORPHANED).isNotSameAs(ORPHANED));
  }

  private Entry stored(Event event, @Nullable Object content) {
    return stored(event, "1", eventVocabulary.write(event), content);
  }

  private Entry stored(Event event, String version, byte[] payload, @Nullable Object content) {
    var draftEvent = eventVocabulary.draft(event, Instant.EPOCH);
    return new Entry(
        1,
        draftEvent.id(),
        draftEvent.name(),
        version,
        draftEvent.at(),
        "node",
        draftEvent.tagsText(),
        payload,
        draftEvent.metadata(),
        new byte[0],
        content);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "-0",
        "1.50",
        "1e400",
        "123456789012345678901234567890.123456789012345678901234567890",
        "{\"a\":null,\"a\":[{}]}",
        "\"\\u0000\\n\\\"\""
      })
  void anyJsonInsideAnEventComesBackUnchanged(String json) {
    var event = new OperatorActed("alice", "rules.check", JsonValue.parse(json), null, false);

    assertThat(eventVocabulary.read(OperatorActed.class, eventVocabulary.write(event)))
        .isEqualTo(event);
  }

  @Test
  void jsonBeforeItsKindComesBackUnchanged() {
    var json =
        """
        {ID,"fault":{"source":"s","message":"m","data":[1.50,1e400,null],"kind":"UpstreamError"},
        "told":{"dialect":"mcp","code":-32603,"message":"m"},"attempts":0,"totalMillis":1}\
        """;

    assertThat(read("ErrorTranslated", "1", json))
        .extracting("fault.data")
        .hasToString("[1.50,1e400,null]");
  }

  @Test
  void anOldVersionIsReadThroughItsUpgrades() {
    EventUpgrade renamed = json -> (ObjectNode) json.set("deadNode", json.remove("node"));
    EventUpgrade completed = json -> json.put("forwarded", true);
    var type = new MessageType(Named.NAMESPACE, "CallOrphaned", "3");
    var later =
        new EventVocabulary(
            ContentKeys.NONE,
            List.of(new EventType(type, CallOrphaned.class, List.of(renamed, completed))));

    var first = json("{ID,\"node\":\"node-b\"}");
    var second =
        json(
            """
            {ID,"deadNode":"node-b"}\
            """);

    assertThat(later.read(version("1"), first)).isEqualTo(ORPHANED);
    assertThat(later.read(version("2"), second)).isEqualTo(ORPHANED);
    assertThat(later.read(version("3"), later.write(ORPHANED))).isEqualTo(ORPHANED);
  }

  @Test
  void aNewVersionWithoutItsUpgradeIsRefused() {
    assertThatThrownBy(() -> new EventType(version("2"), CallOrphaned.class, List.of()))
        .hasMessageContaining("a new version needs an upgrade");
  }

  private Object read(String name, String version, String json) {
    return eventVocabulary.read(new MessageType(Named.NAMESPACE, name, version), json(json));
  }

  private static byte[] json(String json) {
    return Samples.utf8(json.replace("ID", ID));
  }

  private static MessageType version(String version) {
    return new MessageType(Named.NAMESPACE, "CallOrphaned", version);
  }
}
