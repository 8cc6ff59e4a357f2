package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import gatebook.events.CallForwarded;
import gatebook.events.Event;
import gatebook.events.Named;
import gatebook.events.OperatorActed;
import gatebook.events.ResultKept;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.call.Erasable;
import gatebook.events.call.JsonValue;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.EventKey;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content of stored events: sealed as it was, and opened under its own key only. */
final class ContentSealingTest {
  private static final String NAME = Named.NAMESPACE + ".ResultKept";
  private static final ContentOwner ADA = ContentOwner.ofCall("ada", Samples.CALL);
  private static final ResultKept EVENT =
      new ResultKept(Samples.CALL, Samples.TASK, 1, 2, "the text");

  private static final AtomicInteger DRAFTS = new AtomicInteger();

  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);

  @Test
  void contentIsOpenedUnderItsKey() {
    Entry entry = stored(EVENT);

    assertThat(text(entry.payload()))
        .startsWith(
            "{\"callId\":\"%s\",\"taskId\":\"%s\",\"part\":1,\"parts\":2,\"~~text\":0,\"sealed\":"
                .formatted(Samples.CALL, Samples.TASK));
    assertThat(eventVocabulary.open(entry).contentState()).isEqualTo(ContentState.OPENED);
    assertThat(eventVocabulary.read(entry)).isEqualTo(EVENT);
  }

  @Test
  void originalsAreNotShown() {
    Entry original = stored(EVENT);
    Entry other = stored(new OperatorActed("al", "m", JsonValue.parse("{}"), null, true));

    assertThat(text(eventVocabulary.openToShow(original).json()))
        .endsWith("\"parts\":2,\"~~text\":0}");
    assertThat(text(eventVocabulary.openToShow(other).json())).contains("\"params\":{}");
  }

  @Test
  void withoutKeysTheOtherMembersAreReadable() {
    Entry entry = stored(EVENT);
    EventVocabulary closed = new EventVocabulary();

    assertThat(state(closed, entry)).isEqualTo(ContentState.CLOSED);
    assertThat(closed.open(entry).json()).isEqualTo(entry.payload());
    assertThat(closed.read(entry)).isEqualTo(withText(null));
  }

  @Test
  void contentOfAnErasedKeyIsErased() {
    Entry entry = stored(EVENT);
    contentKeys.erase(ADA);

    assertThat(state(eventVocabulary, entry)).isEqualTo(ContentState.ERASED);
    assertThat(text(eventVocabulary.open(entry).json())).endsWith("\"parts\":2,\"~~text\":0}");
    assertThat(eventVocabulary.read(entry)).isEqualTo(withText(null));
    assertThat(eventVocabulary.read(stored(EVENT))).as("new content").isEqualTo(EVENT);
  }

  @Test
  void contentOfALostKeyIsToldAsMissing() {
    Entry entry = stored(EVENT);
    contentKeys.lose(ADA);

    assertThat(state(eventVocabulary, entry)).isEqualTo(ContentState.KEY_MISSING);
    assertThat(eventVocabulary.read(entry)).isEqualTo(withText(null));
  }

  @Test
  void contentOfAnotherEventIsRefused() {
    Entry entry = stored(EVENT);
    Entry otherId = entry("other", NAME, entry.payload());
    Entry otherName = entry(entry.id(), Named.NAMESPACE + ".CallReceived", entry.payload());

    assertThat(state(eventVocabulary, otherId)).isEqualTo(ContentState.REFUSED);
    assertThat(state(eventVocabulary, otherName)).isEqualTo(ContentState.REFUSED);
  }

  @Test
  void contentUnderASwappedKeyIsRefused() {
    String other = contentKeys.current(ContentOwner.ofCall("eve", Samples.CALL)).id();
    Entry swapped = changed(stored(EVENT), contentKeys.current(ADA).id(), other);

    assertThat(state(eventVocabulary, swapped)).isEqualTo(ContentState.REFUSED);
  }

  @Test
  void contentWithASwappedCommitmentIsRefused() {
    byte[] other =
        eventVocabulary
            .draft(newId(), EVENT, Samples.NOON, EventTags.of(EVENT), "eve", Samples.utf8("{}"))
            .payload();
    Entry entry = stored(EVENT);
    int commitment = text(entry.payload()).indexOf("\"content\":\"") + "\"content\":\"".length();
    // 40 digits of base64 are 30 of the 32 bytes
    String one = text(entry.payload()).substring(commitment, commitment + 40);
    String swapped = text(other).substring(commitment, commitment + 40);

    assertThat(state(eventVocabulary, changed(entry, one, swapped)))
        .isEqualTo(ContentState.REFUSED);
  }

  /** As from the store of another node: the key has the right id and is another one. */
  @Test
  void anotherKeyWithTheSameIdIsRefused() {
    Entry entry = stored(EVENT);
    ContentKey other =
        new ContentKey(contentKeys.current(ADA).id(), ADA, new byte[ContentKey.BYTES]);
    EventVocabulary ofOtherNode = new EventVocabulary(keys(other), OldKeys.NONE);

    assertThat(state(ofOtherNode, entry)).isEqualTo(ContentState.REFUSED);
    assertThat(ofOtherNode.read(entry)).isEqualTo(withText(null));
  }

  @ParameterizedTest
  @CsvSource({"~text\":0,~text\":7", "~text\":0,~text\":x", "~text\":0,~text\":99999999999"})
  void aPlaceWithoutAValueIsRefused(String place, String changed) {
    Entry entry = changed(stored(EVENT), place, changed);

    assertThat(state(eventVocabulary, entry)).isEqualTo(ContentState.REFUSED);
  }

  static Stream<Event> samples() {
    return Stream.concat(
        Samples.events().values().stream(),
        Samples.faults().stream().map(PlantedEvent::translated));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyEventComesBackAsItWas(Event event) {
    Entry entry = stored(event);

    assertThat(text(eventVocabulary.open(entry).json()))
        .isEqualTo(text(eventVocabulary.write(event)));
    assertThat(eventVocabulary.read(entry)).isEqualTo(event);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyEventIsReadableWithoutItsContent(Event event) {
    assertThat(new EventVocabulary().read(stored(event))).hasSameClassAs(event);
  }

  static IntStream seeds() {
    return IntStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void hostileContentComesBackAsItWas(int seed) {
    Random random = new Random(seed);
    List<Event> events =
        List.of(
            new OperatorActed(
                hostileText(random),
                hostileText(random),
                JsonValue.parse(hostileJson(random, 3)),
                Samples.CALL,
                true),
            new TreeTaskCancelled(
                Samples.CALL,
                hostileText(random),
                hostileText(random),
                hostileText(random),
                Samples.CALL,
                Samples.NOON),
            new CallForwarded(Samples.CALL, 1, hostileText(random), "u", 1, hostileText(random)));

    assertThat(events).allSatisfy(this::everyEventComesBackAsItWas);
  }

  @Test
  void deepContentComesBackAsItWas() {
    String deep = "[".repeat(900) + "{\"~a\":\"]\"}" + "]".repeat(900);

    everyEventComesBackAsItWas(new OperatorActed("al", "m", JsonValue.parse(deep), null, true));
  }

  private static final List<String> HOSTILE =
      List.of(
          "",
          "\"",
          "\\",
          "\\\"",
          "~",
          "~text",
          "~~text",
          "~~text\":0",
          "{",
          "}",
          "\"}}",
          "[",
          "]",
          ",",
          ":",
          "\u0000",
          "\n",
          "\u2028",
          "größer",
          "\ud83d\ude00",
          ",\"sealed\":{\"key\":\"k\",\"content\":\"AAAA\"}}",
          ",\"sealed\":{\"key\":\"k\",\"content\":\"AAAA\",\"originals\":\"AAAA\"}}",
          Erasable.UNREADABLE);

  private static String hostileText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int parts = random.nextInt(4); parts >= 0; parts--) {
      text.append(HOSTILE.get(random.nextInt(HOSTILE.size())));
    }
    return text.toString();
  }

  private static String hostileJson(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 ->
          "123456789012345678901234567890.12345678901234567890e%d".formatted(random.nextInt());
      case 1 -> List.of("null", "true", "-0", "1e400", "{}", "[]").get(random.nextInt(6));
      case 2 -> quoted(hostileText(random));
      case 3 -> "[%s,%s]".formatted(hostileJson(random, depth - 1), hostileJson(random, depth - 1));
      default -> "{%s:%s}".formatted(quoted(hostileText(random)), hostileJson(random, depth - 1));
    };
  }

  private static String quoted(String text) {
    try {
      return EventJson.mapper().writeValueAsString(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** A sealed member of version 1 has the same form but another name. */
  @Test
  void oldEventsAreNotTakenForSealed() throws IOException {
    byte[] old = Samples.utf8(Golden.text("events/ResultKept.1.json").strip());
    assertThat(text(old)).endsWith("\"content\":\"AP8Q\"}}");

    assertThat(state(eventVocabulary, entry("e", NAME, old))).isEqualTo(ContentState.PLAIN);
  }

  @Test
  void contentThatLooksSealedIsNotTakenForSealed() {
    JsonValue params = JsonValue.parse("{\"a\":1,\"sealed\":{\"key\":\"k\",\"content\":\"AAAA\"}}");
    byte[] json = eventVocabulary.write(new OperatorActed("al", "m", params, Samples.CALL, true));

    assertThat(state(eventVocabulary, entry("e", Named.NAMESPACE + ".OperatorActed", json)))
        .isEqualTo(ContentState.PLAIN);
  }

  @Test
  void anEventWithoutContentIsStoredPlain() {
    Entry entry = stored(withText(null));

    assertThat(text(entry.payload())).isEqualTo(text(eventVocabulary.write(withText(null))));
    assertThat(state(eventVocabulary, entry)).isEqualTo(ContentState.PLAIN);
  }

  @Test
  void theSealedFormNeverChanges() throws IOException {
    EventVocabulary fixed = fixed();
    String payload = text(stored(fixed, "golden", EVENT).payload()) + "\n";
    String golden = Golden.text("sealed/ResultKept.2.apart.json", payload);
    Entry entry = entry("golden", NAME, Samples.utf8(golden.strip()));

    assertThat(payload).isEqualTo(golden);
    assertThat(fixed.read(entry)).isEqualTo(EVENT);
  }

  @Test
  void originalsSealedWithTheContentAreRead() throws IOException {
    byte[] golden = Samples.utf8(Golden.text("sealed/ResultKept.2.json").strip());

    assertThat(OpenedPayload.hasOriginalsApart(golden)).isFalse();
    assertThat(fixed().read(entry("golden", NAME, golden))).isEqualTo(EVENT);
    assertThat(text(fixed().openToShow(entry("golden", NAME, golden)).json()))
        .endsWith("\"parts\":2,\"~~text\":0}");
  }

  @Test
  void whatSeveralThreadsSealAtOnceIsRead() {
    List<ResultKept> events =
        IntStream.range(0, 500).mapToObj(length -> withText("x".repeat(length))).toList();

    List<Entry> entries = events.parallelStream().map(this::stored).toList();

    assertThat(entries).extracting(eventVocabulary::read).containsExactlyElementsOf(events);
  }

  private static EventVocabulary fixed() {
    byte[] bytes = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    return new EventVocabulary(keys(new ContentKey("0123456789abcdef", ADA, bytes)), OldKeys.NONE);
  }

  /** With the key of the content, which is given to people, nobody gets the original. */
  @Test
  void originalsHaveAKeyOfTheirOwn() {
    Entry entry = stored(new CallForwarded(Samples.CALL, 1, "tools", "u", 1, "seen"));
    Entry received = stored(Objects.requireNonNull(Samples.events().get("CallReceived.2")));
    ContentKey contentKey = contentKeys.current(ADA);
    EventKey key = contentKey.ofEvent(received.id());
    EventKey originalKey = contentKey.ofOriginals(received.id());

    OpenedPayload opened = opened(key, received);
    assertThat(opened.contentState()).isEqualTo(ContentState.OPENED);
    assertThat(text(opened.json())).contains("größer").contains("\"~~original\":0");
    assertThat(opensOriginals(originalKey, received)).isTrue();
    assertThat(opensOriginals(key, received)).isFalse();
    assertThat(opened(originalKey, received).contentState()).isEqualTo(ContentState.REFUSED);
    assertThat(OpenedPayload.hasOriginalsApart(entry.payload())).isFalse();
    assertThat(opensOriginals(contentKey.ofOriginals(entry.id()), entry)).isFalse();
  }

  @Test
  void originalsOfAnotherEventAreRefused() {
    Entry one = stored(EVENT);
    Entry other = stored(EVENT);
    String originals = text(one.payload()).replaceFirst(".*(\"originals\".*)", "$1");
    String others = text(other.payload()).replaceFirst(".*(\"originals\".*)", "$1");

    assertThat(state(eventVocabulary, changed(one, originals, others)))
        .isEqualTo(ContentState.REFUSED);
  }

  /** As the owner of a log can write it: a length that nothing has takes no memory. */
  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MAX_VALUE, 1})
  void anOriginalWithAnotherLengthIsRefused(int length) {
    byte[] content = ByteBuffer.allocate(6).put("[]".getBytes(UTF_8)).putInt(length).array();
    ContentKey key = contentKeys.current(ADA);
    String id = newId();
    byte[] bound = (id + ' ' + NAME).getBytes(UTF_8);
    byte[] sealed = MemoryContentKeys.sealed(key.ofEvent(id), bound, content);
    String payload =
        "{\"~~text\":0,\"sealed\":{\"key\":\"%s\",\"content\":\"%s\"}}"
            .formatted(key.id(), Base64.getEncoder().encodeToString(sealed));

    assertThat(state(eventVocabulary, entry(id, NAME, Samples.utf8(payload))))
        .isEqualTo(ContentState.REFUSED);
  }

  private static OpenedPayload opened(EventKey key, Entry entry) {
    return OpenedPayload.with(key, entry.id(), entry.name(), entry.payload());
  }

  private static boolean opensOriginals(EventKey key, Entry entry) {
    return OpenedPayload.opensOriginals(key, entry.id(), entry.name(), entry.payload());
  }

  /** Keys that have one key, whatever is looked for. */
  private static ContentKeys keys(ContentKey key) {
    return new ContentKeys() {
      @Override
      public ContentKey current(ContentOwner owner) {
        return key;
      }

      @Override
      public KeyLookup find(String id) {
        return new KeyLookup.Found(key);
      }
    };
  }

  private Entry stored(Event event) {
    return stored(eventVocabulary, newId(), event);
  }

  /** No test seals an event a second time: its key refuses that. */
  private static String newId() {
    return "e" + DRAFTS.incrementAndGet();
  }

  private static Entry stored(EventVocabulary vocabulary, String id, Event event) {
    DraftEvent draft =
        vocabulary.draft(id, event, Samples.NOON, EventTags.of(event), "ada", Samples.utf8("{}"));
    return new Entry(
        1,
        draft.id(),
        draft.name(),
        draft.version(),
        draft.at(),
        "node",
        draft.tagsText(),
        draft.payload(),
        draft.metadata(),
        new byte[0],
        null);
  }

  private static Entry entry(String id, String name, byte[] payload) {
    return new Entry(1, id, name, "2", "", "node", "", payload, new byte[0], new byte[0], null);
  }

  private static Entry changed(Entry entry, String part, String other) {
    assertThat(text(entry.payload())).contains(part);
    byte[] payload = Samples.utf8(text(entry.payload()).replace(part, other));
    return entry(entry.id(), entry.name(), payload);
  }

  private static ContentState state(EventVocabulary vocabulary, Entry entry) {
    return vocabulary.open(entry).contentState();
  }

  private static ResultKept withText(@Nullable String text) {
    return new ResultKept(EVENT.callId(), EVENT.taskId(), EVENT.part(), EVENT.parts(), text);
  }

  private static String text(byte[] json) {
    return new String(json, UTF_8);
  }
}
