package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.DropPlan;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.drop.PositionSet;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.segment.file.SegmentEditor;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verification lets a leaf stand for an event only where the journal says that it is dropped. */
final class DroppedSegmentsTest {
  private static final int EVENTS = 40;
  private static final long SEGMENT_BYTES = 5_000;
  private static final PositionSet KEPT = PositionSet.of(List.of(2L));
  private static final VerificationScope UNSTAMPED = new VerificationScope(false, 1);
  private static final VerificationScope EVERYTHING = new VerificationScope(true, 2);

  @TempDir private Path directory;
  private JournalSettings settings;
  private Journal journal;
  private byte[] oldCheckpoint;

  @BeforeEach
  void write() throws IOException {
    settings =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.inSegments(directory), SEGMENT_BYTES), 2, 600_000);
    journal = Journals.opened(settings);
    append(2);
    await().until(() -> journal.isCovered(2));
    oldCheckpoint = Files.readAllBytes(settings.checkpointFile());
    append(EVENTS - 2);
    await().until(() -> drops().oldest().isPresent());
  }

  @AfterEach
  void close() {
    journal.close();
  }

  private void append(int events) {
    for (int i = 0; i < events; i++) {
      Journals.append(
          journal, Journals.draft("{\"n\":%d}".formatted(i), new Tag("call", "c" + i / 3)));
    }
  }

  private EventDrops drops() {
    return TestDrops.of(
        journal, (from, _, _) -> new DropPlan(from == 1 ? KEPT : PositionSet.NONE, List.of()));
  }

  private RecordedDrop drop() {
    return TestDrops.dropOldest(drops());
  }

  private VerificationReport verify(VerificationScope scope, ExternalCheckpoint... against) {
    try (JournalSnapshot snapshot = journal.snapshot()) {
      return new Verification(List.of(journal.verifier()), VerificationLimits.DEFAULT)
          .verify(snapshot, List.of(against), scope);
    }
  }

  private ExternalCheckpoint old() {
    return new ExternalCheckpoint("vault/2", oldCheckpoint);
  }

  private static List<String> messages(VerificationReport report) {
    return report.found().stream().map(it -> it.finding().message()).toList();
  }

  @Test
  void whatAnEventDroppedIsCleanAndTold() {
    RecordedDrop first = drop();
    RecordedDrop second = drop();

    for (VerificationScope scope : List.of(UNSTAMPED, EVERYTHING)) {
      VerificationReport report = verify(scope, old());
      assertThat(messages(report)).isEmpty();
      assertThat(report.dropped())
          .contains(
              new VerificationReport.DroppedEvents(
                  second.to(), second.newestAt(), second.to() - 1));
    }
    assertThat(first.kept()).isEqualTo(KEPT);
  }

  @Test
  void aSegmentWithDroppedEventsGetsAStamp() {
    RecordedDrop dropped = drop();

    await()
        .untilAsserted(() -> {
          VerificationReport report = verify(UNSTAMPED);
          assertThat(report.clean()).isTrue();
          assertThat(report.basis().stamped().getFirst().from()).isEqualTo(1);
          assertThat(report.dropped().orElseThrow().events()).isEqualTo(dropped.to() - 1);
        });
  }

  @Test
  void eventsThatNoEventDroppedAreFound() throws StorageFailure {
    OldestRange range = drops().oldest().orElseThrow();
    dropWithout(range, KEPT);

    assertThat(verify(UNSTAMPED).found())
        .extracting(VerificationReport.Found::finding)
        .contains(
            new VerificationFinding.Dropped(1, 1, "no event says that they are dropped for good"));
    assertThat(verify(UNSTAMPED).basis().stamped()).noneMatch(it -> it.from() == 1);
  }

  private void dropWithout(OldestRange range, PositionSet kept) throws StorageFailure {
    journal.droppable().orElseThrow().drop(range, kept::contains, kept.size());
  }

  @Test
  void aKeptEventThatIsGoneIsFound() throws StorageFailure {
    OldestRange range = drops().oldest().orElseThrow();
    Journals.append(journal, TestDrops.statement(range, new DropPlan(KEPT, List.of())));
    journal.sign().join();
    dropWithout(range, PositionSet.NONE);

    assertThat(verify(UNSTAMPED).found())
        .extracting(VerificationReport.Found::finding)
        .containsExactly(
            new VerificationFinding.Dropped(
                2, 2, "they are not those that event %d drops for good".formatted(EVENTS + 1)));
  }

  @Test
  void aDropThatNoCheckpointCoversIsFound() throws StorageFailure {
    OldestRange range = drops().oldest().orElseThrow();
    if (journal.head() % 2 != 0) {
      append(1);
    }
    Journals.append(journal, TestDrops.statement(range, new DropPlan(KEPT, List.of())));
    long position = journal.head();
    dropWithout(range, KEPT);

    assertThat(messages(verify(UNSTAMPED)))
        .containsExactly(
            "events 1 to %d are only there as their leaves, or should be: no checkpoint covers event %d, which says so"
                .formatted(range.to(), position));
  }

  @Test
  void aKeptEventThatIsAlteredIsFound() {
    drop();
    journal.close();
    new SegmentEditor(directory.resolve("journal")).rename(2, "test.Other");
    journal = Journals.opened(settings);

    assertThat(verify(EVERYTHING).counts()).containsKey("altered");
  }
}
