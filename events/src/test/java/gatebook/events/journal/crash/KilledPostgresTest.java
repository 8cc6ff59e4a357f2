package gatebook.events.journal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The PostgreSQL server of a journal is killed. */
@Order(1)
class KilledPostgresTest {
  private static final int APPENDS_MAX = 2_000;
  private static final Duration WAIT_MAX = Duration.ofMinutes(2);

  @TempDir Path directory;
  private final PostgresServer server = PostgresServer.start();
  private Place place;

  @BeforeEach
  void start() {
    place = new Place("node-1", directory, server.location());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void everyAcknowledgedAppendSurvivesAServerKilledUnderLoad() {
    SplittableRandom random = Proof.random("killed PostgreSQL");
    Ledger ledger = new Ledger();
    int kills = Proof.rounds(3, 25);
    try (Journal journal = Journals.opened(place.settings());
        Callers callers = Callers.start(journal, random.nextLong(), ledger::add)) {
      for (int kill = 0; kill < kills; kill++) {
        int enough = ledger.appendsStored() + 1 + random.nextInt(APPENDS_MAX);
        await().pollInterval(Duration.ofMillis(1)).until(() -> ledger.appendsStored() >= enough);
        server.kill();
        outage(place, kill % 2 == 0);
        server.startAgain();
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
    server.kill();

    assertThat(Journal.open(place.settings()))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                ("the journal %s cannot be opened: Connection to %s refused. Check that the"
                        + " hostname and port are correct and that the postmaster is accepting"
                        + " TCP/IP connections.")
                    .formatted(withoutQuery(server.location().url()), hostAndPort())));
  }

  private static String withoutQuery(String url) {
    return url.substring(0, url.indexOf('?'));
  }

  private String hostAndPort() {
    return server.location().url().replaceFirst("jdbc:postgresql://([^/]*)/.*", "$1");
  }

  @Test
  void aJournalClosesPromptlyWhileItsServerIsDown() {
    Journal journal = Journals.opened(place.settings());
    Journals.append(journal, Journals.draft("a"));
    server.kill();
    assertThat(Journals.append(journal, Journals.draft("b")).toString()).startsWith("Unavailable");

    long start = System.nanoTime();
    journal.close();

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
  }
}
