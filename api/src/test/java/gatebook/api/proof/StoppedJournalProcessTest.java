package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CallEvent;
import gatebook.events.ErrorTranslated;
import gatebook.events.JournalOutage;
import gatebook.events.Requires;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.crash.PostgresServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal cannot be written for a while, under load, and the server goes on. */
final class StoppedJournalProcessTest {
  private static final int CALLERS = 24;
  private static final int IN_FLIGHT = 8;
  private static final int ENOUGH = 200;
  private static final String DISK_SIZE = "256m";

  @TempDir private Path temp;

  private final Queue<Telling> tellings = new ConcurrentLinkedQueue<>();
  private final Set<String> inFlight = ConcurrentHashMap.newKeySet();
  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void withoutItsDatabaseNothingIsForwardedAndAfterwardsOneEventTellsOfIt() {
    Instant before = Instant.now();
    try (PostgresServer database = PostgresServer.start(temp.resolve("postgres"));
        Tool tool = new Tool(this::work)) {
      Place place = Place.with(temp.resolve("place"), tool.url());
      JournalSettings.Shared shared = database.location();
      Map<String, String> login =
          Map.of("GATEBOOK_DB_USER", shared.user(), "GATEBOOK_DB_PASSWORD", shared.password());
      Server.How how = new Server.How(List.of(), List.of("--db", shared.url()), login);
      try (Server server = Server.start(place.directory(), how);
          Callers quick = callers(server, StoppedJournalProcessTest::quick);
          Callers slow = callers(server, _ -> Call.Kind.SLOW)) {
        slow.start(IN_FLIGHT, "slow", Proof.random("stopped database"));
        quick.start(CALLERS, "quick", Proof.random("stopped database"));
        awaitTold(ENOUGH, telling -> !telling.isUnavailable());
        await().until(() -> inFlight.size() == IN_FLIGHT);

        database.kill();
        awaitOutage(server);
        int arrived = tool.count();
        int told = tellings.size();
        awaitTold(ENOUGH, Telling::isUnavailable, told);

        assertThat(tellings.stream().skip(told)).allMatch(Telling::isUnavailable);
        assertThat(tool.count()).as("calls that arrived meanwhile").isEqualTo(arrived);
        assertThat(server.isAlive()).isTrue();
        assertThat(server.probe("/health").status()).isEqualTo(200);
        assertThat(server.probe("/ready"))
            .satisfies(ready -> assertThat(ready.status()).isEqualTo(503))
            .satisfies(ready -> assertThat(ready.body()).contains("\"journal\":\"unavailable\""));

        slow.stopCalling();
        released.countDown();
        slow.join();
        assertThat(tellings.stream().filter(telling -> telling.call().kind() == Call.Kind.SLOW))
            .hasSize(IN_FLIGHT)
            .allMatch(Telling::isOutcomeNotRecorded);

        database.startAgain();
        awaitRecovery(server);
        quick.join();
        await()
            .until(() -> !stored(place, shared.url(), login).every(JournalOutage.class).isEmpty());
        awaitEnded(server);
        server.stop();
      }
      Stored stored = stored(place, shared.url(), login);
      check(stored, place.data(), tool);
      assertThat(stored.every(JournalOutage.class))
          .singleElement()
          .satisfies(outage -> {
            assertThat(outage.from()).isBetween(before, outage.to());
            assertThat(outage.to()).isBefore(Instant.now());
          });
    }
  }

  private static Stored stored(Place place, String url, Map<String, String> login) {
    return Stored.read(place.data(), Optional.of(url), login);
  }

  /** Some appends may still find room on a full disk, so that there may be several outages. */
  @Test
  void onAFullDiskNothingIsForwardedUnrecordedAndWithRoomCallsWorkAgain() throws Exception {
    try (Tool tool = new Tool(this::work)) {
      Place place = Place.with(temp, tool.url());
      List<String> onSmallDisk =
          List.of(
              "unshare",
              "--map-root-user",
              "--mount",
              "sh",
              "-c",
              "mount -t tmpfs -o size=%s,mode=700 tmpfs \"$0\" && exec \"$@\"".formatted(DISK_SIZE),
              Files.createDirectory(place.data()).toString());
      Requires.mounts(onSmallDisk);
      Path copy = temp.resolve("copy");
      try (Server server =
              Server.start(place.directory(), new Server.How(onSmallDisk, List.of(), Map.of()));
          Callers quick = callers(server, StoppedJournalProcessTest::quick)) {
        Path ballast = server.data().resolve("ballast");
        quick.start(CALLERS, "quick", Proof.random("full disk"));
        awaitTold(ENOUGH, telling -> !telling.isUnavailable());

        await()
            .until(
                () -> {
                  fill(ballast);
                  return server.probe("/ready").status();
                },
                status -> status == 503);
        awaitTold(ENOUGH, Telling::isUnavailable);
        assertThat(server.isAlive()).isTrue();
        assertThat(server.probe("/health").status()).isEqualTo(200);

        Files.delete(ballast);
        awaitRecovery(server);
        quick.join();
        await()
            .pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> {
              copyStandingStill(server, copy);
              check(Stored.read(copy, Optional.empty(), Map.of()), copy, tool);
            });
      }
      Place.verify(copy);
    }
  }

  private Callers callers(Server server, Function<RandomGenerator, Call.Kind> kinds) {
    return new Callers(server.mcp(), kinds, _ -> {}, tellings::add);
  }

  private static Call.Kind quick(RandomGenerator random) {
    return List.of(Call.Kind.READ, Call.Kind.READ, Call.Kind.DENIED, Call.Kind.NOTIFICATION)
        .get(random.nextInt(4));
  }

  private void work(Tool.Arrival arrival) {
    if (arrival.tool().equals("slow")) {
      inFlight.add(arrival.marker());
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitTold(int enough, Predicate<Telling> such) {
    awaitTold(enough, such, 0);
  }

  private void awaitTold(int enough, Predicate<Telling> such, int after) {
    await().until(() -> tellings.stream().skip(after).filter(such).count() >= enough);
  }

  /** Returns when no caller waits for the answer to a call of the time before any more. */
  private void awaitOutage(Server server) {
    await().until(() -> server.probe("/ready").status() == 503);
    int told = tellings.size();
    await()
        .until(() ->
            tellings.stream()
                    .skip(told)
                    .filter(Telling::isUnavailable)
                    .map(telling -> caller(telling.call()))
                    .distinct()
                    .count()
                == CALLERS);
  }

  private static String caller(Call call) {
    return call.marker().substring(0, call.marker().lastIndexOf('-'));
  }

  private void awaitRecovery(Server server) {
    awaitReady(server);
    awaitTold(ENOUGH, telling -> !telling.isUnavailable(), tellings.size());
  }

  private static void awaitReady(Server server) {
    await().until(() -> server.probe("/ready").status() == 200);
  }

  /**
   * Calls whose outcome was not recorded are closed without a restart. One whose commit went
   * through while its reply was lost has its outcome in the journal after all.
   */
  private void awaitEnded(Server server) {
    such(Telling::isOutcomeNotRecorded)
        .forEach(telling ->
            await()
                .untilAsserted(() ->
                    assertThat(server.status(telling.call().marker()))
                        .as(() -> server.lookup(telling.call().marker()).toString())
                        .isIn("failed", "orphaned", "answered")));
  }

  private void check(Stored stored, Path data, Tool tool) {
    List<Telling> refused =
        such(telling -> telling.isUnavailable() && !telling.isOutcomeNotRecorded());
    List<Telling> unrecorded = such(Telling::isOutcomeNotRecorded);
    Promises promises = new Promises(stored, data);
    promises.arrived(tool.arrivals());
    promises.told(such(telling -> !telling.isUnavailable()));
    promises.endedOnce();
    assertThat(refused).noneMatch(telling -> tool.arrivals().containsKey(telling.call().marker()));
    for (Telling telling : such(Telling::isUnavailable)) {
      List<CallEvent> call = stored.of(telling.call().marker());
      assertThat(Stored.endings(call))
          .as("the end of %s: %s", telling, call)
          .hasSize(call.isEmpty() ? 0 : 1);
    }
    assertThat(sum(stored, JournalOutage::refused)).isEqualTo(refused.size());
    assertThat(sum(stored, JournalOutage::outcomesNotRecorded))
        .as("told so, and those who had been told of nothing but the arrival of a notification")
        .isBetween(
            (long) unrecorded.size(), (long) unrecorded.size() + acknowledgedAndLost(stored));
    System.err.printf(
        "stopped journal: %d answers, %d refused, %d outcomes not recorded, %d arrivals%n",
        tellings.size(), refused.size(), unrecorded.size(), tool.count());
  }

  private List<Telling> such(Predicate<Telling> such) {
    return tellings.stream().filter(such).toList();
  }

  /** Over all outages together. */
  private static long sum(Stored stored, ToLongFunction<JournalOutage> count) {
    return stored.every(JournalOutage.class).stream().mapToLong(count).sum();
  }

  private long acknowledgedAndLost(Stored stored) {
    return such(Telling::isAcknowledgement).stream()
        .map(telling -> stored.of(telling.call().marker()))
        .filter(call -> Stored.endings(call).stream().anyMatch(ErrorTranslated.class::isInstance))
        .count();
  }

  private static void fill(Path ballast) {
    byte[] block = new byte[64 * 1_024];
    try (OutputStream out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException _) {
      // it is full
    }
  }

  /** What would be left of its data if it were killed now; its own disk would go with it. */
  private static void copyStandingStill(Server server, Path copy) {
    server.freeze();
    try (Stream<Path> files = Files.list(server.data())) {
      Files.createDirectories(copy);
      for (Path file : files.toList()) {
        Files.copy(
            file, copy.resolve(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      server.thaw();
    }
  }
}
