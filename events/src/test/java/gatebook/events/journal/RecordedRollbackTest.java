package gatebook.events.journal;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.RollbackFound;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rollback that one of two nodes records, which share a journal. */
class RecordedRollbackTest {
  private final EventVocabulary vocabulary = new EventVocabulary();

  @TempDir Path directory;

  @Test
  void everyNodeStopsUntilTheLogHasANewOrigin() throws Exception {
    SharedLocation database = Journals.freshSchema();
    JournalSettings settings = Journals.settings(directory, database);
    try (Journal one = Journals.opened(settings);
        Journal other = Journals.opened(settings)) {
      append(one, draft("a"));
      String origin = one.verifier().name();
      assertThat(append(one, rollback(origin))).isInstanceOf(Append.Stored.class);

      assertThat(one.state()).isInstanceOf(JournalState.RolledBack.class);
      await().until(() -> other.state() instanceof JournalState.RolledBack);
      assertThat(append(one, draft("c"))).isInstanceOf(Append.ReadOnly.class);
      assertThat(append(other, draft("d"))).isInstanceOf(Append.ReadOnly.class);
      assertThat(one.signNote("text\n", origin)).isEmpty();
    }
    try (Journal again = Journals.opened(settings)) {
      assertThat(again.state()).isInstanceOf(JournalState.RolledBack.class);
      assertThat(again.head()).isEqualTo(2);
    }

    RestoredMark mark = RestoreContinuation.rolledBack(settings).orElseThrow();
    assertThat(
            RestoreContinuation.of(
                settings, mark, List.of(draft("begun")), Optional.of(CheckpointKey.newName())))
        .isInstanceOf(RestoreContinuation.Outcome.Continues.class);
    assertThat(RestoreContinuation.rolledBack(settings)).isEmpty();
    try (Journal goesOn = Journals.opened(settings)) {
      assertThat(append(goesOn, draft("e"))).isEqualTo(new Append.Stored(4, 4));
    }
  }

  private DraftEvent rollback(String origin) {
    return vocabulary.draft(
        new RollbackFound("witness.example/w+0+0", origin, 1, "a note"), Instant.now());
  }
}
