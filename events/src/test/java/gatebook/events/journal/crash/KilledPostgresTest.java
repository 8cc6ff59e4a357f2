package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.postgres.SharedLocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The PostgreSQL server of a journal is killed. */
@Order(1)
@TestInstance(Lifecycle.PER_CLASS)
class KilledPostgresTest {
  private static final int APPENDS_MAX = 1_000;
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  @AutoClose private final PostgresServer server = PostgresServer.start();
  private boolean isKilled;
  private Place place;

  @BeforeEach
  void newPlace(@TempDir Path directory) {
    if (isKilled) {
      startAgain();
    }
    place = new Place("node-1", directory, Journals.freshSchema(server.location()));
  }

  private void kill() {
    isKilled = true;
    server.kill();
  }

  private void startAgain() {
    server.startAgain();
    isKilled = false;
  }

  @Test
  void everyAcknowledgedAppendSurvivesAServerKilledUnderLoad() {
    SplittableRandom random = Proof.random("killed PostgreSQL");
    Ledger ledger = new Ledger();
    int kills = Proof.rounds(2, 25);
    try (Journal journal = Journals.opened(place.settings());
        Callers callers = Callers.start(journal, random.nextLong(), ledger::add)) {
      for (int kill = 0; kill < kills; kill++) {
        int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
        await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
        kill();
        outage(place, kill % 2 == 0);
        startAgain();
        await().until(journal::state, new JournalState.Writable()::equals);
      }
      callers.stop();

      assertThat(callers.slowestMillis()).isLessThan(WAIT_MAX.toMillis());
      ledger.check(journal, place.settings());
      System.err.printf(
          "killed PostgreSQL: %d kills, %s, slowest result %d ms%n",
          kills, ledger, callers.slowestMillis());
    }
  }

  /** Half of the outages are longer than the wait of callers in doubt. */
  private static void outage(Place place, boolean outlastsDoubt) {
    if (outlastsDoubt) {
      long end =
          System.nanoTime()
              + Duration.ofMillis(2 * place.settings().limits().inDoubtMillisMax()).toNanos();
      await().until(() -> System.nanoTime() - end > 0);
    }
  }

  @Test
  void aServerThatIsDownAtStartIsARefusal() {
    kill();

    assertThat(Journal.open(place.settings()))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                ("the journal %s cannot be opened: Connection to %s refused. Check that the"
                        + " hostname and port are correct and that the postmaster is accepting"
                        + " TCP/IP connections.")
                    .formatted(withoutQuery(url()), hostAndPort())));
  }

  private String url() {
    return ((SharedLocation) place.location()).url();
  }

  private static String withoutQuery(String url) {
    return url.substring(0, url.indexOf('?'));
  }

  private String hostAndPort() {
    return url().replaceFirst("jdbc:postgresql://([^/]*)/.*", "$1");
  }

  @Test
  void aJournalClosesPromptlyWhileItsServerIsDown() {
    Journal journal = Journals.opened(place.settings());
    Journals.append(journal, Journals.draft("a"));
    kill();
    assertThat(Journals.append(journal, Journals.draft("b")))
        .isInstanceOfAny(Append.Unavailable.class, Append.InDoubt.class);

    long start = System.nanoTime();
    journal.close();

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
  }
}
