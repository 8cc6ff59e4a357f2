package gatebook.events.journal;

import static gatebook.events.journal.Journals.administrator;
import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.Append.Unstorable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of a journal in the rows of a database. */
abstract class JournalOnRows extends JournalContract {
  @Override
  RowEditor editor() {
    return new RowEditor(settings.location());
  }

  @Test
  void anEventTheDatabaseRefusesFailsOnlyItsOwnCaller() {
    editor().execute("ALTER TABLE journal ADD CONSTRAINT no_poison CHECK (name <> 'test.Poison')");
    List<CompletableFuture<Append>> good = new ArrayList<>();
    List<CompletableFuture<Append>> poisoned = new ArrayList<>();
    whileWriterIsBlocked(() -> {
      for (int i = 0; i < 20; i++) {
        good.add(journal.append(ConflictCondition.none(), List.of(draft("good"))));
        if (i % 7 == 3) {
          poisoned.add(journal.append(ConflictCondition.none(), List.of(draft("good"), poison())));
        }
      }
    });

    assertThat(good).allSatisfy(it -> assertThat(it.join()).isInstanceOf(Stored.class));
    assertThat(poisoned)
        .hasSize(3)
        .allSatisfy(it ->
            assertThat(it.join())
                .isEqualTo(new Unstorable("the journal does not take this event")));
    assertThat(allPositions()).isEqualTo(LongStream.rangeClosed(1, 21).boxed().toList());
    assertThat(append(journal, draft("after"))).isEqualTo(new Stored(22, 22));
  }

  private static DraftEvent poison() {
    DraftEvent draftEvent = draft("poison");
    return new DraftEvent(
        draftEvent.id(),
        "test.Poison",
        draftEvent.version(),
        draftEvent.at(),
        draftEvent.tags(),
        draftEvent.tagsText(),
        draftEvent.payload(),
        draftEvent.metadata(),
        null);
  }

  @Test
  void aNewerSchemaIsRefused() {
    editor().execute("INSERT INTO journal_schema (version, installed_at) VALUES (2, 'later')");
    close();

    assertThat(Journal.open(settings))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the database %s has journal schema 2 and this version knows 1: use a newer gatebook"
                    .formatted(settings.storage().describe())));
    editor().execute("DELETE FROM journal_schema WHERE version = 2");
    journal = Journals.opened(settings);
  }

  /** Holds the lock on the right edge. */
  @Override
  void whileWriterIsBlocked(Runnable appends) {
    try (Connection connection = administrator(settings.location())) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT size FROM journal_edge WHERE one = 1 FOR UPDATE");
        CompletableFuture<Append> first = blockWriter();
        appends.run();
        connection.rollback();
        first.join();
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
