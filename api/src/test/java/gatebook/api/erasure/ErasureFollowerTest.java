package gatebook.api.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node forgets what another node drops. */
@Order(1)
final class ErasureFollowerTest {
  private static final int EVENTS = 20;

  @TempDir private Path folder;

  @Test
  void droppedEventsLeaveTheMemoryOfEveryNode() {
    JournalSettings settings =
        Journals.withCheckpoints(
            Journals.settings(folder, Journals.freshSchema().withPartitions(15)), 4, 600_000);
    try (Journal journal = Journals.opened(settings);
        Journal other = Journals.opened(settings);
        ErasureFollower _ = new ErasureFollower(other)) {
      for (int i = 0; i < EVENTS; i++) {
        await()
            .until(() -> Journals.append(journal, Journals.draft("{}")) instanceof Append.Stored);
      }
      await().until(() -> other.head() == EVENTS);
      assertThat(other.read(0, 100)).hasSize(EVENTS);

      TestDrops.dropOldest(TestDrops.keepingEachTenth(journal));

      await()
          .untilAsserted(
              () -> assertThat(other.read(0, 2)).first().extracting("position").isEqualTo(10L));
    }
  }
}
