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
import gatebook.events.journal.postgres.SharedLocation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A response of PostgreSQL is lost: the connection breaks during a commit. */
@Timeout(300)
class LostResponseTest {
  @TempDir Path directory;
  private Proxy proxy;
  private Journal journal;

  @BeforeEach
  void open() {
    SharedLocation server = Journals.freshSchema();
    proxy = Proxy.before(server.url());
    SharedLocation location =
        new SharedLocation(proxy.url(server.url()), server.user(), server.password());
    journal = Journals.opened(new Place("node-1", directory, location).settings());
  }

  @AfterEach
  void close() {
    proxy.mend();
    journal.close();
    proxy.close();
  }

  @Test
  void aCommitWithALostResponseIsAcknowledgedAfterReconnecting() {
    proxy.cutAt(Proxy.Cut.AFTER_COMMIT, false);

    assertThat(append(journal, draft("a"), draft("b"))).isEqualTo(new Stored(1, 2));
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(3, 3));
    assertThat(payloads()).containsExactly("a", "b", "c");
  }

  @Test
  void aCommitThatNeverArrivedIsAnsweredAsNotStored() {
    proxy.cutAt(Proxy.Cut.BEFORE_COMMIT, false);

    assertThat(append(journal, draft("a"), draft("b"))).isInstanceOf(Unavailable.class);
    await().until(journal::state, new JournalState.Writable()::equals);
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(1, 1));
    assertThat(payloads()).containsExactly("c");
  }

  @Test
  void aCommitWithoutReconnectionIsInDoubt() {
    proxy.cutAt(Proxy.Cut.AFTER_COMMIT, true);

    assertThat(append(journal, draft("a"), draft("b"))).isInstanceOf(InDoubt.class);
    assertThat(append(journal, draft("refused"))).isInstanceOf(Unavailable.class);

    proxy.mend();
    await().until(journal::state, new JournalState.Writable()::equals);
    await().until(journal::head, Long.valueOf(2)::equals);
    assertThat(append(journal, draft("c"))).isEqualTo(new Stored(3, 3));
    assertThat(payloads()).containsExactly("a", "b", "c");
  }

  private List<String> payloads() {
    return journal.find(null, 0, Long.MAX_VALUE, 100).stream()
        .map(entry -> new String(entry.payload(), UTF_8))
        .toList();
  }
}
