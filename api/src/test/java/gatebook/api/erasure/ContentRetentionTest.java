package gatebook.api.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.node.KeysOnDisk;
import gatebook.command.rules.LegalHold;
import gatebook.events.CallReceived;
import gatebook.events.ErasureBegun;
import gatebook.events.ErasureCompleted;
import gatebook.events.ErasureRefused;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.call.ErasureCause;
import gatebook.events.call.Principal;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.projection.ViewFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.axonframework.messaging.core.MessageType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Retention of content and legal holds, on both sides of their days. */
@Timeout(300)
final class ContentRetentionTest {
  /** Keys are made before it. */
  private Instant now = Instant.now().plusSeconds(3_600);

  private final LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);

  @TempDir private Path folder;
  private Journal journal;
  private ContentKeyStore keys;
  private ViewFile viewFile;
  private Views views;
  private Optional<List<LegalHold>> legalHolds = Optional.of(List.of());

  @BeforeEach
  void open() {
    journal =
        Journals.opened(
            new JournalPlace(folder, Optional.empty()).settings(JournalSection.DEFAULT, Map.of()));
    keys = openKeys();
    viewFile = ((ViewFile.Opening.Opened) ViewFile.open(folder.resolve("views"))).views();
    views = Views.follow(viewFile, journal, vocabulary());
  }

  @AfterEach
  void close() {
    views.close();
    viewFile.close();
    journal.close();
    keys.close();
  }

  @Test
  void contentGoesTheDayAfterItsLastDay() throws InterruptedException {
    String last = key("joe", today.minusDays(90));
    String older = key("joe", today.minusDays(91));
    String ofNode = key(null, today.minusDays(91));

    sweep();

    assertThat(keys.find(last)).isInstanceOf(KeyLookup.Found.class);
    assertThat(keys.find(older)).isInstanceOf(KeyLookup.Erased.class);
    assertThat(keys.find(ofNode)).isInstanceOf(KeyLookup.Erased.class);
    now = now.plusSeconds(86_400);
    sweep();
    assertThat(keys.find(last)).isInstanceOf(KeyLookup.Erased.class);
    assertThat(events())
        .hasExactlyElementsOfTypes(
            ErasureBegun.class, ErasureCompleted.class, ErasureBegun.class, ErasureCompleted.class);
  }

  @Test
  void aLegalHoldKeepsTheDaysThatItTouches() throws InterruptedException {
    LocalDate first = today.minusDays(100);
    legalHolds =
        Optional.of(List.of(new LegalHold("case 7", null, "joe", first, first.plusDays(1))));
    String before = key("joe", first.minusDays(1));
    String onFirst = key("joe", first);
    String onLast = key("joe", first.plusDays(1));
    String after = key("joe", first.plusDays(2));
    String ofAnother = key("ann", first);

    sweep();
    sweep(); // the refusal is recorded once a day

    assertThat(Stream.of(onFirst, onLast).map(keys::find))
        .hasOnlyElementsOfType(KeyLookup.Found.class);
    assertThat(Stream.of(before, after, ofAnother).map(keys::find))
        .hasOnlyElementsOfType(KeyLookup.Erased.class);
    assertThat(refusals())
        .singleElement()
        .satisfies(
            refused -> assertThat(refused.cause()).isEqualTo(ErasureCause.RETENTION),
            refused -> assertThat(refused.holds()).containsExactly("case 7"));
    now = now.plusSeconds(86_400);
    sweep();
    assertThat(refusals()).hasSize(2);
  }

  @Test
  void withoutRulesNothingIsErased() throws InterruptedException {
    String old = key("joe", today.minusDays(91));
    legalHolds = Optional.empty();

    sweep();

    assertThat(erasure().forget("alice", "joe", null, null, "asked"))
        .isInstanceOf(ErasureResult.NotDone.class);
    assertThat(keys.find(old)).isInstanceOf(KeyLookup.Found.class);
    assertThat(events()).isEmpty();
  }

  @Test
  void anErasureHasAsManyEventsAsItsKeysNeed() throws InterruptedException {
    for (int day = 0; day <= ContentErasure.KEYS_PER_EVENT; day++) {
      key("joe", today.minusDays(day));
    }

    assertThat(erasure().forget("alice", "joe", null, null, "asked"))
        .isInstanceOfSatisfying(
            ErasureResult.Completed.class,
            completed -> assertThat(completed.keys()).isEqualTo(10_001));
    assertThat(events())
        .hasExactlyElementsOfTypes(ErasureBegun.class, ErasureBegun.class, ErasureCompleted.class);
    assertThat(keys.count()).isEqualTo(1); // the node's, which has the reason
  }

  @Test
  void restoredKeysAreErasedAgain() throws Exception {
    key("eve", today);
    erasure().forget("alice", "eve", null, null, "asked"); // the store knows its journal then
    keys.close();
    keys = openKeys();
    String forgotten = key("joe", today.minusDays(1));
    String expired = key("joe", today.minusDays(91));
    String kept = key("ann", today);
    Path backup = Files.createDirectory(folder.resolve("backup"));
    copy(folder.resolve("keys"), backup);
    sweep();
    erasure().forget("alice", "joe", null, null, "asked");
    keys.close();
    copy(backup, folder.resolve("keys"));
    keys = openKeys();
    assertThat(keys.find(forgotten)).isInstanceOf(KeyLookup.Found.class);

    ErasedAgain.apply(journal, keys, vocabulary());

    assertThat(Stream.of(forgotten, expired).map(keys::find))
        .hasOnlyElementsOfType(KeyLookup.Erased.class);
    assertThat(keys.find(kept)).isInstanceOf(KeyLookup.Found.class);
    assertThat(keys.erasedUpTo()).isEqualTo(5);
  }

  @Test
  void eventsFromBeforeContentWasSealedAreCounted() throws InterruptedException {
    CallReceived received = received();
    appendPlain(received);
    appendPlain(new ErasureCompleted(UUID.randomUUID(), 0, 0));
    key(received.principal().name(), today);
    erasure().forget("alice", received.principal().name(), null, null, "asked"); // is sealed
    appendPlain(received()); // comes too late to be from before

    ErasureEstimate estimate = new ErasureEstimate(erasure(), journal, vocabulary(), views);

    LocalDate day = ContentOwner.ofCall(null, received.callId()).day();
    assertThat(estimate.notReached(received.principal().name(), day, day)).isEqualTo(1);
    assertThat(estimate.notReached(received.principal().name(), day.plusDays(1), null)).isZero();
    assertThat(estimate.notReached(received.principal().name(), null, day.minusDays(1))).isZero();
    assertThat(estimate.notReached("nobody", null, null)).isZero();
  }

  private CallReceived received() {
    return ReceivedCall.of(UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd"), now)
        .by(new Principal("joe", List.of(), Map.of("team", "said by joe")))
        .to("demo", "rm")
        .event();
  }

  /** Appends an event as it was before content was sealed. */
  private void appendPlain(Event event) {
    MessageType type = vocabulary().typeOf(event.getClass()).orElseThrow();
    DraftEvent draft =
        DraftEvent.of(
            UUID.randomUUID().toString(),
            type.name(),
            type.version(),
            now,
            Set.of(),
            vocabulary().write(event),
            new byte[] {'{', '}'},
            null);
    assertThat(journal.append(ConflictCondition.none(), List.of(draft)).join())
        .isInstanceOf(Append.Stored.class);
  }

  private ContentKeyStore openKeys() {
    return KeysOnDisk.open(folder, journal);
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path directory : List.of(from, to)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          if (directory.equals(to)) {
            Files.delete(file);
          }
        }
      }
    }
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private String key(@Nullable String principal, LocalDate day) {
    return keys.current(new ContentOwner(principal, day)).id();
  }

  private void sweep() throws InterruptedException {
    new ErasureSweep(erasure(), OptionalInt.of(90)).sweep();
  }

  private ContentErasure erasure() {
    return new ContentErasure(
        journal,
        keys,
        vocabulary(),
        views,
        _ -> {
          throw new AssertionError("no call is held");
        },
        () -> legalHolds,
        new ErasureFigures(),
        () -> now);
  }

  private EventVocabulary vocabulary() {
    return new EventVocabulary(keys, OldKeys.NONE);
  }

  private List<Event> events() {
    List<Event> events = new ArrayList<>();
    journal.read(0, 1_000).forEach(entry -> events.add(vocabulary().read(entry)));
    return events;
  }

  private List<ErasureRefused> refusals() {
    return events().stream()
        .filter(ErasureRefused.class::isInstance)
        .map(ErasureRefused.class::cast)
        .toList();
  }
}
