package gatebook.api.node;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the real server process under load: every answer that callers received is in the journal,
 * and the journal verifies.
 */
final class KilledServerProcessTest {
  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final boolean LONG = "long".equals(System.getProperty("gatebook.proof"));
  private static final int KILLS = LONG ? 50 : 3;
  private static final int CALLS_MAX = LONG ? 1_000 : 100;
  private static final int CALLERS = 64;
  private static final int LOOKED_UP = 40;

  @TempDir private Path temp;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Queue<String> answered = new ConcurrentLinkedQueue<>();
  private @Nullable Process server;
  private String callers = "";
  private String admin = "";
  private volatile boolean sending;

  @AfterEach
  void stop() {
    sending = false;
    if (server != null) {
      server.destroyForcibly();
    }
    http.shutdownNow();
  }

  @Test
  void everyReceivedAnswerIsInAVerifiableJournal() throws Exception {
    long seed = Long.getLong("gatebook.seed", System.nanoTime());
    System.err.println("killed server: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int before = 0;

    for (int kill = 0; kill < KILLS; kill++) {
      serve();
      int enough = before + 100 + random.nextInt(CALLS_MAX);
      List<CompletableFuture<?>> load = load();
      await().until(() -> answered.size() >= enough);
      kill();
      load.forEach(CompletableFuture::join);
      assertThat(verified()).isZero();
      before = answered.size();
    }

    serve();
    for (String id : newest()) {
      assertThat(lookup(id)).contains("\"correlationId\":\"" + id + "\"", "\"status\":\"denied\"");
    }
    System.err.printf("killed server: %d kills, %d calls answered%n", KILLS, answered.size());
  }

  private List<String> newest() {
    List<String> all = new ArrayList<>(answered);
    return all.subList(all.size() - LOOKED_UP, all.size());
  }

  private void serve() throws IOException {
    Path out = temp.resolve("out");
    Files.deleteIfExists(out);
    server =
        new ProcessBuilder(
                LAUNCHER.toString(), "serve", "--data", "data", "--port", "0", "--admin-port", "0")
            .directory(temp.toFile())
            .redirectOutput(out.toFile())
            .redirectError(temp.resolve("err").toFile())
            .start();
    List<String> lines = await().until(() -> lines(out), l -> l.size() >= 2);
    callers = lines.get(0).substring("callers ".length());
    admin = lines.get(1).substring("admin   ".length());
  }

  private List<CompletableFuture<?>> load() {
    sending = true;
    List<CompletableFuture<?>> load = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      CompletableFuture<Void> ended = new CompletableFuture<>();
      call(ended);
      load.add(ended);
    }
    return load;
  }

  /** Calls again after each answer, until the server is gone. */
  private void call(CompletableFuture<Void> ended) {
    var _ =
        http.sendAsync(denied(), BodyHandlers.ofString())
            .whenComplete((answer, failure) -> {
              if (failure == null && answer.body().contains("-32015")) {
                answered.add(correlationId(answer));
              }
              if (failure == null && sending) {
                call(ended);
              } else {
                ended.complete(null);
              }
            });
  }

  private HttpRequest denied() {
    String call =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"process"}}\
        """;
    return HttpRequest.newBuilder(URI.create(callers + "/mcp"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(call))
        .build();
  }

  private static String correlationId(HttpResponse<String> answer) {
    return answer.headers().firstValue("X-Correlation-Id").orElseThrow();
  }

  private void kill() throws InterruptedException {
    Process killed = Objects.requireNonNull(server);
    killed.destroyForcibly();
    sending = false;
    assertThat(killed.waitFor(120, SECONDS)).isTrue();
  }

  private int verified() throws Exception {
    Process verify =
        new ProcessBuilder(LAUNCHER.toString(), "verify", "--data", "data")
            .directory(temp.toFile())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("verify").toFile())
            .start();
    assertThat(verify.waitFor(300, SECONDS)).isTrue();
    System.err.print(verify.exitValue() == 0 ? "" : Files.readString(temp.resolve("verify")));
    return verify.exitValue();
  }

  private String lookup(String id) throws IOException, InterruptedException {
    String question =
        """
        {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"%s"}}\
        """
            .formatted(id);
    String token = Files.readString(temp.resolve("data/operator.token")).strip();
    return http.send(
            HttpRequest.newBuilder(URI.create(admin + "/operator"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(question))
                .build(),
            BodyHandlers.ofString())
        .body();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
