package gatebook.events.journal.crash;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.Append.Unstorable;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.JournalSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a batch of appends waits for PostgreSQL. */
class AppendRoundTripsTest {
  private static final int LOCK_STATEMENT_COMMIT = 3;

  @TempDir Path directory;
  private final SharedLocation server = Journals.freshSchema();
  private Proxy proxy;
  private Journal journal;
  private Journal other;

  @BeforeEach
  void open() {
    proxy = Proxy.before(server.url());
    SharedLocation location =
        new SharedLocation(proxy.url(server.url()), server.user(), server.password());
    journal = opened(new Place("node-1", directory, location));
    other = opened(new Place("node-2", directory, server));
  }

  private static Journal opened(Place place) {
    JournalSettings settings = place.settings();
    return Journals.opened(Journals.withCheckpoints(settings, 1_000, 60_000));
  }

  @AfterEach
  void close() {
    journal.close();
    other.close();
    proxy.close();
  }

  @Test
  void aBatchOfALoneWriterTakesOneRoundTrip() {
    append(journal, draft("first"));

    assertThat(Stream.generate(() -> roundTrips(() -> append(journal, drafts(3)))).limit(10))
        .containsOnly(1);
    assertThat(journal.head()).isEqualTo(31);
  }

  @Test
  void alternatingWritersLockTheEdgeForEachBatch() {
    append(other, draft("first"));

    assertThat(Stream.generate(this::roundTripsAfterOther).limit(10))
        .containsOnly(LOCK_STATEMENT_COMMIT);
  }

  private int roundTripsAfterOther() {
    int roundTrips = roundTrips(() -> append(journal, draft("mine")));
    append(other, draft("theirs"));
    return roundTrips;
  }

  @Test
  void aWriterNoLongerAloneLearnsItOnce() {
    append(journal, draft("first"));
    append(other, draft("theirs"));

    assertThat(roundTrips(() -> append(journal, draft("a")))).isEqualTo(1 + LOCK_STATEMENT_COMMIT);
    assertThat(roundTrips(() -> append(journal, draft("b")))).isEqualTo(LOCK_STATEMENT_COMMIT);
    assertThat(roundTrips(() -> append(journal, draft("c")))).isEqualTo(1);
  }

  @Test
  void aStatementThatFailsStoresNothing() throws SQLException {
    try (Connection administrator = Journals.administrator(server)) {
      administrator
          .createStatement()
          .execute("ALTER TABLE journal_tag ADD CHECK (tag <> 'poison:1')");
    }
    append(journal, draft("first", new Tag("call", "1")));
    StoredEdge before = StoredEdge.of(server);

    int roundTrips =
        roundTrips(() ->
            assertThat(append(journal, draft("a", new Tag("poison", "1"))))
                .isEqualTo(new Unstorable("the journal does not take this event")));

    assertThat(roundTrips).isEqualTo(1);
    assertThat(StoredEdge.of(server)).isEqualTo(before);
    assertThat(journal.find(null, 0, Long.MAX_VALUE, 10)).hasSize(1);
    assertThat(append(journal, draft("b"))).isEqualTo(new Stored(2, 2));
  }

  private int roundTrips(Runnable append) {
    int before = proxy.roundTrips();
    append.run();
    return proxy.roundTrips() - before;
  }

  private static DraftEvent[] drafts(int count) {
    return Stream.generate(() -> draft("x")).limit(count).toArray(DraftEvent[]::new);
  }
}
