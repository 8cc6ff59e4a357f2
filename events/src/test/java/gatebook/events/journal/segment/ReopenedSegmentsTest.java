package gatebook.events.journal.segment;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal that failed to write is opened again while its segments are replaced. */
final class ReopenedSegmentsTest {
  private static final int EVENTS = 40;

  /** How many forces fail from now on. */
  private final AtomicInteger failures = new AtomicInteger();

  @TempDir Path directory;

  private SegmentDisk.WrittenFile open(Path file) throws IOException {
    return new ForwardingFile(SegmentDisk.LOCAL.open(file)) {
      @Override
      public void force() throws IOException {
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          throw new IOException("no force");
        }
        super.force();
      }
    };
  }

  private JournalSettings settings() {
    return Journals.withSegments(
        Journals.settings(
            directory,
            new SegmentLocation(directory.resolve("journal"), this::open)
                .with(SegmentCompression.NONE)),
        5_000);
  }

  @Test
  void segmentDroppedMeanwhileIsReadAsItIsNow() throws Exception {
    try (Journal journal = Journals.opened(settings())) {
      for (int i = 0; i < EVENTS; i++) {
        assertThat(append(journal, draft("{}".repeat(200)))).isInstanceOf(Append.Stored.class);
      }
      DroppableEvents droppable = journal.droppable().orElseThrow();
      await().until(() -> droppable.oldest().isPresent());
      OldestRange range = droppable.oldest().orElseThrow();
      List<String> leaves = leaves(journal);

      assertThat(droppable.drop(range, position -> isKeptAfterReopening(journal, position), 1))
          .isTrue();

      assertThat(journal.droppedThrough())
          .contains(new DroppedThrough(range.to(), range.newestAt()));
      assertThat(droppable.oldest()).get().returns(range.to() + 1, OldestRange::from);
      assertThat(leaves(journal)).isEqualTo(leaves);
    }
  }

  /** Opens the journal again at the first position, the one that stays, and reads its segments. */
  private boolean isKeptAfterReopening(Journal journal, long position) {
    if (position > 1) {
      return false;
    }
    failures.set(1);
    assertThat(append(journal, draft("not stored"))).isNotInstanceOf(Append.Stored.class);
    await().until(() -> journal.state().equals(new JournalState.Writable()));
    assertThat(journal.droppedThrough()).isEmpty();
    return true;
  }

  private static List<String> leaves(Journal journal) {
    return journal.leaves(0, EVENTS).stream().map(HexFormat.of()::formatHex).toList();
  }
}
