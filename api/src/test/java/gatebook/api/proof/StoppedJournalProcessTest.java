package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CallEvent;
import gatebook.events.JournalOutage;
import gatebook.events.Proof;
import gatebook.events.Requires;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.postgres.SharedLocation;
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

/**
 * The journal stops for a while under load, on a lost database or a full disk, and the server
 * continues.
 */
final class StoppedJournalProcessTest {
  private static final int CALLERS = 24;
  private static final int IN_FLIGHT = 8;
  private static final int ENOUGH = 200;
  private static final String DISK_SIZE = "256m";

  @TempDir private Path temp;

  private final Queue<CallerResponse> responses = new ConcurrentLinkedQueue<>();
  private final Set<String> inFlight = ConcurrentHashMap.newKeySet();
  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void aDatabaseOutageForwardsNothingAndIsRecorded() {
    Instant killed;
    Instant startedAgain;
    try (PostgresServer database = PostgresServer.start();
        RecordingUpstream upstream = new RecordingUpstream(this::blockIfSlow)) {
      ServerDirectory serverDirectory =
          ServerDirectory.withAllGates(temp.resolve("place"), upstream.url());
      SharedLocation shared = database.location();
      Map<String, String> login =
          Map.of("GATEBOOK_DB_USER", shared.user(), "GATEBOOK_DB_PASSWORD", shared.password());
      ServerProcess.StartOptions startOptions =
          new ServerProcess.StartOptions(List.of(), List.of("--db", shared.url()), login);
      try (ServerProcess server = ServerProcess.start(serverDirectory.directory(), startOptions);
          ConcurrentCallers quick = callers(server, StoppedJournalProcessTest::quick);
          ConcurrentCallers slow = callers(server, _ -> TestCall.Kind.SLOW)) {
        slow.start(IN_FLIGHT, "slow", Proof.random("stopped database"));
        quick.start(CALLERS, "quick", Proof.random("stopped database"));
        awaitResponses(ENOUGH, response -> !response.isUnavailable());
        await().until(() -> inFlight.size() == IN_FLIGHT);

        killed = Instant.now();
        database.kill();
        awaitOutage(server);
        int arrivalsBefore = upstream.count();
        int responsesBefore = responses.size();
        awaitResponses(ENOUGH, CallerResponse::isUnavailable, responsesBefore);

        assertThat(responses.stream().skip(responsesBefore))
            .allMatch(CallerResponse::isUnavailable);
        assertThat(upstream.count()).as("calls that arrived meanwhile").isEqualTo(arrivalsBefore);
        assertThat(server.isAlive()).isTrue();
        assertThat(server.probe("/health").status()).isEqualTo(200);
        assertThat(server.probe("/ready"))
            .satisfies(ready -> assertThat(ready.status()).isEqualTo(503))
            .satisfies(ready -> assertThat(ready.body()).contains("\"journal\":\"unavailable\""));

        slow.stopCalling();
        released.countDown();
        slow.join();
        assertThat(
                responses.stream().filter(response -> response.call().kind() == TestCall.Kind.SLOW))
            .hasSize(IN_FLIGHT)
            .allMatch(CallerResponse::isOutcomeNotRecorded);

        startedAgain = Instant.now();
        database.startAgain();
        awaitRecovery(server);
        quick.join();
        await()
            .until(() ->
                !stored(serverDirectory, shared.url(), login)
                    .ofType(JournalOutage.class)
                    .isEmpty());
        awaitEnded(server);
        server.stop();
      }
      StoredEvents stored = stored(serverDirectory, shared.url(), login);
      check(stored, serverDirectory, upstream);
      List<JournalOutage> outages = stored.ofType(JournalOutage.class);
      assertThat(outages.getFirst().from()).isBetween(killed, startedAgain);
      assertThat(outages.getLast().to()).isBetween(killed, Instant.now());
      assertThat(outages.stream().flatMap(outage -> Stream.of(outage.from(), outage.to())))
          .as("what is refused while the outage is being recorded is an outage after it")
          .isSorted();
    }
  }

  private static StoredEvents stored(
      ServerDirectory serverDirectory, String url, Map<String, String> login) {
    return StoredEvents.read(serverDirectory.data(), Optional.of(url), login);
  }

  /** Some appends may still find room on a full disk, so there may be several outages. */
  @Test
  void aFullDiskForwardsNothingUnrecorded() throws Exception {
    try (RecordingUpstream upstream = new RecordingUpstream(this::blockIfSlow)) {
      ServerDirectory serverDirectory = ServerDirectory.withAllGates(temp, upstream.url());
      serverDirectory.addSection("journal: {disk_reserve_bytes: 1}");
      List<String> onSmallDisk =
          Requires.disk(Files.createDirectory(serverDirectory.data()), DISK_SIZE);
      Path copy = temp.resolve("copy");
      try (ServerProcess server =
              ServerProcess.start(
                  serverDirectory.directory(),
                  new ServerProcess.StartOptions(onSmallDisk, List.of(), Map.of()));
          ConcurrentCallers quick = callers(server, StoppedJournalProcessTest::quick)) {
        Path ballast = server.data().resolve("ballast");
        quick.start(CALLERS, "quick", Proof.random("full disk"));
        awaitResponses(ENOUGH, response -> !response.isUnavailable());

        await()
            .until(
                () -> {
                  fill(ballast);
                  return server.probe("/ready").status();
                },
                status -> status == 503);
        awaitResponses(ENOUGH, CallerResponse::isUnavailable);
        assertThat(server.isAlive()).isTrue();
        assertThat(server.probe("/health").status()).isEqualTo(200);

        Files.delete(ballast);
        awaitRecovery(server);
        quick.join();
        await()
            .pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> {
              copyWhileSuspended(server, copy);
              check(StoredEvents.read(copy, Optional.empty(), Map.of()), serverDirectory, upstream);
            });
      }
      ServerDirectory.verify(copy);
    }
  }

  private ConcurrentCallers callers(
      ServerProcess server, Function<RandomGenerator, TestCall.Kind> kinds) {
    return new ConcurrentCallers(server.mcp(), kinds, _ -> {}, responses::add);
  }

  private static TestCall.Kind quick(RandomGenerator random) {
    return List.of(
            TestCall.Kind.READ,
            TestCall.Kind.READ,
            TestCall.Kind.DENIED,
            TestCall.Kind.NOTIFICATION)
        .get(random.nextInt(4));
  }

  private void blockIfSlow(RecordingUpstream.Arrival arrival) {
    if (arrival.tool().equals("slow")) {
      inFlight.add(arrival.marker());
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitResponses(int enough, Predicate<CallerResponse> condition) {
    awaitResponses(enough, condition, 0);
  }

  private void awaitResponses(int enough, Predicate<CallerResponse> condition, int after) {
    await().until(() -> responses.stream().skip(after).filter(condition).count() >= enough);
  }

  /** Waits until every caller has a refusal from after the start of the outage. */
  private void awaitOutage(ServerProcess server) {
    await().until(() -> server.probe("/ready").status() == 503);
    int responsesBefore = responses.size();
    await()
        .until(() ->
            responses.stream()
                    .skip(responsesBefore)
                    .filter(CallerResponse::isUnavailable)
                    .map(response -> caller(response.call()))
                    .distinct()
                    .count()
                == CALLERS);
  }

  private static String caller(TestCall testCall) {
    return testCall.marker().substring(0, testCall.marker().lastIndexOf('-'));
  }

  private void awaitRecovery(ServerProcess server) {
    awaitReady(server);
    awaitResponses(ENOUGH, response -> !response.isUnavailable(), responses.size());
  }

  private static void awaitReady(ServerProcess server) {
    await().until(() -> server.probe("/ready").status() == 200);
  }

  /**
   * Waits until calls whose outcome was not recorded are closed, without a restart. A call whose
   * commit succeeded while the reply was lost has its outcome in the journal.
   */
  private void awaitEnded(ServerProcess server) {
    responsesWhere(CallerResponse::isOutcomeNotRecorded)
        .forEach(response ->
            await()
                .untilAsserted(() ->
                    assertThat(server.status(response.call().marker()))
                        .as(() -> server.lookup(response.call().marker()).toString())
                        .isIn("failed", "orphaned", "answered")));
  }

  private void check(StoredEvents stored, ServerDirectory server, RecordingUpstream upstream) {
    List<CallerResponse> refused =
        responsesWhere(response -> response.isUnavailable() && !response.isOutcomeNotRecorded());
    List<CallerResponse> unrecorded = responsesWhere(CallerResponse::isOutcomeNotRecorded);
    RecordGuarantees guarantees = new RecordGuarantees(stored);
    guarantees.checkArrivals(upstream.arrivals());
    guarantees.checkResponses(responsesWhere(response -> !response.isUnavailable()));
    guarantees.checkSingleEnds();
    assertThat(refused)
        .noneMatch(response -> upstream.arrivals().containsKey(response.call().marker()));
    for (CallerResponse response : responsesWhere(CallerResponse::isUnavailable)) {
      List<CallEvent> call = stored.of(response.call().marker());
      assertThat(StoredEvents.endings(call))
          .as("the end of %s: %s", response, call)
          .hasSize(call.isEmpty() ? 0 : 1);
    }
    assertThat(sum(stored, JournalOutage::refused)).isEqualTo(refused.size());
    List<String> lost = server.callsWithLostOutcome();
    assertThat(sum(stored, JournalOutage::outcomesNotRecorded)).isEqualTo(lost.size());
    assertThat(lost)
        .as("calls whose outcome is lost: those that were told so, and acknowledged notifications")
        .doesNotHaveDuplicates()
        .containsAll(callIds(stored, unrecorded))
        .isSubsetOf(
            callIds(
                stored,
                responsesWhere(
                    response -> response.isOutcomeNotRecorded() || response.isAcknowledgement())));
    System.err.printf(
        "stopped journal: %d answers, %d refused, %d outcomes not recorded, %d arrivals%n",
        responses.size(), refused.size(), unrecorded.size(), upstream.count());
  }

  private List<CallerResponse> responsesWhere(Predicate<CallerResponse> condition) {
    return responses.stream().filter(condition).toList();
  }

  /** The sum over all outages. */
  private static long sum(StoredEvents stored, ToLongFunction<JournalOutage> count) {
    return stored.ofType(JournalOutage.class).stream().mapToLong(count).sum();
  }

  private static List<String> callIds(StoredEvents stored, List<CallerResponse> responses) {
    return responses.stream()
        .map(response -> stored.of(response.call().marker()).getFirst().callId().toString())
        .toList();
  }

  private static void fill(Path ballast) {
    byte[] block = new byte[64 * 1_024];
    try (OutputStream out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException _) {
      // the disk is full
    }
  }

  /**
   * Copies the data while the process is suspended: the state that a kill would leave. The
   * process's disk disappears with it.
   */
  private static void copyWhileSuspended(ServerProcess server, Path copy) {
    server.suspend();
    try (Stream<Path> files = Files.walk(server.data())) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(server.data().relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      server.resume();
    }
  }
}
