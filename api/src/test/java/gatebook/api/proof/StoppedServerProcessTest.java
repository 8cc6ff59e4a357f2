package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.proof.ServerProcess.StartOptions;
import gatebook.events.Proof;
import gatebook.events.journal.PostgresServer;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are told to stop while clients call all the time. */
@Timeout(600)
final class StoppedServerProcessTest {
  private static final int CLIENTS = 12;
  private static final int SLOW_CLIENTS = 3;
  private static final String SLOW = "list_orders";
  private static final int ANSWERS_BEFORE = Proof.rounds(200, 20_000);

  @TempDir private Path temp;

  private final CountDownLatch slowArrived = new CountDownLatch(SLOW_CLIENTS);
  private final CountDownLatch answerSlow = new CountDownLatch(1);
  private final RecordingUpstream source =
      new RecordingUpstream(arrival -> {
        if (arrival.tool().equals(SLOW)) {
          slowArrived.countDown();
          awaitOpen(answerSlow);
        }
      });

  @AfterEach
  void closeSource() {
    answerSlow.countDown();
    source.close();
  }

  @Test
  void aStoppedServerBreaksNoConnection() throws Exception {
    try (ServerProcess server = ServerProcess.start(rules("one"), StartOptions.DEFAULTS);
        KeptClients clients = new KeptClients(balancer(List.of(server)))) {
      start(clients, "read", CLIENTS);
      start(clients, SLOW, SLOW_CLIENTS);
      slowArrived.await();
      await().until(() -> clients.answered() >= ANSWERS_BEFORE);

      server.signalToStop();
      await().until(() -> isRefused(server.mcp()));
      int answeredBefore = clients.answered();
      answerSlow.countDown();
      clients.join();

      assertThat(server.exitCode()).isZero();
      assertThat(clients.broken()).isEmpty();
      assertThat(clients.errors()).isEmpty();
      assertThat(clients.answered() - answeredBefore).isEqualTo(SLOW_CLIENTS);
      assertThat(clients.announced()).isEqualTo(CLIENTS + SLOW_CLIENTS);
    }
    assertThat(Files.readString(temp.resolve("one/err")))
        .containsPattern("\"stopping: a second signal .*\"calls_in_flight\":[1-9]")
        .containsPattern("\"stopped\",.*\"calls_ended\":[1-9]\\d*,\"calls_closed\":0")
        .doesNotContain("\\tat ");
  }

  @Test
  void aRollingRestartOfTwoServersFailsNoCall() throws Exception {
    answerSlow.countDown();
    try (PostgresServer database = PostgresServer.start()) {
      StartOptions options = options(database.location());
      List<ServerProcess> servers = new CopyOnWriteArrayList<>();
      List<Path> directories = List.of(rules("a"), rules("b"));
      servers.add(ServerProcess.start(directories.getFirst(), options));
      servers.add(ServerProcess.start(directories.getLast(), options));
      try (KeptClients clients = new KeptClients(balancer(servers))) {
        start(clients, "read", CLIENTS);
        start(clients, SLOW, SLOW_CLIENTS);
        for (int round = 0; round < Proof.rounds(1, 10); round++) {
          for (int i = 0; i < servers.size(); i++) {
            int answeredBefore = clients.answered();
            await().until(() -> clients.answered() >= answeredBefore + ANSWERS_BEFORE);
            ServerProcess old = servers.get(i);
            old.signalToStop();
            assertThat(old.exitCode()).isZero();
            servers.set(i, ServerProcess.start(directories.get(i), options));
            await().until(servers.get(i)::isReady);
          }
        }
        clients.stop();

        assertThat(clients.broken()).isEmpty();
        assertThat(clients.errors()).isEmpty();
        assertThat(clients.announced()).isPositive();
      } finally {
        servers.forEach(ServerProcess::close);
      }
    }
  }

  /** Gives each new connection to a server whose probe says that it is ready. */
  private static Supplier<Optional<URI>> balancer(List<ServerProcess> servers) {
    AtomicInteger next = new AtomicInteger();
    return () -> {
      List<ServerProcess> ready = servers.stream().filter(ServerProcess::isReady).toList();
      return ready.isEmpty()
          ? Optional.empty()
          : Optional.of(ready.get(next.getAndIncrement() % ready.size()).mcp());
    };
  }

  private static void start(KeptClients clients, String tool, int count) {
    for (int i = 0; i < count; i++) {
      clients.start(tool);
    }
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Path rules(String name) {
    ServerDirectory directory = ServerDirectory.forwardingAll(temp.resolve(name), source.url());
    directory.addSection("journal: {key_file: %s}".formatted(temp.resolve("checkpoint.key")));
    return directory.directory();
  }

  private static StartOptions options(SharedLocation shared) {
    return new StartOptions(
        List.of(),
        List.of("--db", shared.url()),
        Map.of(
            "GATEBOOK_DB_USER", shared.user(),
            "GATEBOOK_DB_PASSWORD", shared.password(),
            "GATEBOOK_WRAPPING_KEY", Base64.getEncoder().encodeToString(new byte[32])));
  }

  private static boolean isRefused(URI server) {
    try {
      new Socket(server.getHost(), server.getPort()).close();
      return false;
    } catch (IOException _) {
      return true;
    }
  }
}
