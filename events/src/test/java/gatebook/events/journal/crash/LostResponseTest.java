package gatebook.events.journal.crash;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append.InDoubt;
import gatebook.events.journal.Append.Stored;
import gatebook.events.journal.Append.Unavailable;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.crash.Proxy.Commit;
import gatebook.events.journal.postgres.SharedLocation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A response of PostgreSQL is lost: the connection breaks during a commit. */
@Timeout(300)
class LostResponseTest {
  @TempDir Path directory;
  private final SharedLocation server = Journals.freshSchema();
  private Proxy proxy;
  private Place place;
  private Journal journal;

  @BeforeEach
  void open() {
    proxy = Proxy.before(server.url());
    SharedLocation location =
        new SharedLocation(proxy.url(server.url()), server.user(), server.password());
    place = new Place("node-1", directory, location);
    // a batch with a checkpoint is not committed at once
    journal = Journals.opened(Journals.withCheckpoints(place.settings(), 1_000, 60_000));
  }

  @AfterEach
  void close() {
    proxy.mend();
    journal.close();
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource
  void aCommitWithALostResponseIsAcknowledgedAfterReconnecting(Commit commit) {
    appendUntil(commit);
    proxy.cutAt(Proxy.Cut.AFTER_COMMIT, commit, false);

    assertThat(append(journal, draft("a"), draft("b"))).isEqualTo(new Stored(2, 3));
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(4, 4));
    assertThat(payloads()).containsExactly("before", "a", "b", "c");
  }

  @ParameterizedTest
  @EnumSource
  void aCommitThatNeverArrivedIsAnsweredAsNotStored(Commit commit) {
    appendUntil(commit);
    proxy.cutAt(Proxy.Cut.BEFORE_COMMIT, commit, false);

    assertThat(append(journal, draft("a"), draft("b"))).isInstanceOf(Unavailable.class);
    await().until(journal::state, new JournalState.Writable()::equals);
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(2, 2));
    assertThat(payloads()).containsExactly("before", "c");
  }

  @ParameterizedTest
  @EnumSource
  void aCommitWithoutReconnectionIsInDoubt(Commit commit) {
    appendUntil(commit);
    proxy.cutAt(Proxy.Cut.AFTER_COMMIT, commit, true);

    assertThat(append(journal, draft("a"), draft("b"))).isInstanceOf(InDoubt.class);
    assertThat(append(journal, draft("refused"))).isInstanceOf(Unavailable.class);

    proxy.mend();
    await().until(journal::state, new JournalState.Writable()::equals);
    await().until(journal::head, Long.valueOf(3)::equals);
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(4, 4));
    assertThat(payloads()).containsExactly("before", "a", "b", "c");
  }

  @Test
  void aStatementThatArrivesTooLateStoresNothing() {
    appendUntil(Commit.AT_ONCE);
    proxy.cutAt(Proxy.Cut.DELAYED_COMMIT, Commit.AT_ONCE, false);
    assertThat(append(journal, draft("a"), draft("b"))).isInstanceOf(Unavailable.class);

    proxy.deliver();

    assertThat(StoredEdge.of(place.location()).size()).isEqualTo(1);
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(2, 2));
    assertThat(payloads()).containsExactly("before", "c");
  }

  /** Appends one event, after which the next append is committed like this. */
  private void appendUntil(Commit commit) {
    switch (commit) {
      case AT_ONCE -> append(journal, draft("before"));
      case OF_TRANSACTION -> {
        try (Journal other = Journals.opened(place.as("node-2").settings())) {
          append(other, draft("before"));
        }
      }
    }
  }

  private List<String> payloads() {
    return journal.find(null, 0, Long.MAX_VALUE, 100).stream()
        .map(entry -> new String(entry.payload(), UTF_8))
        .toList();
  }
}
