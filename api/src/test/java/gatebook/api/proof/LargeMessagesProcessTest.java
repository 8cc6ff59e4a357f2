package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.upstream.source.StubServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many large messages at once never exhaust the heap of a server. */
final class LargeMessagesProcessTest {

  private static final int CALLERS = 200;
  private static final int SLOW = 20;
  private static final int ANSWERS = 20;
  private static final int BODY_BYTES = 9_900_000;
  private static final int PIECE_BYTES = 256 << 10;
  private static final int SILENT_MILLIS_MAX = 60_000;

  @TempDir private Path temp;

  @Test
  void largeBodiesAndAnswersAreServedOrRefused() throws Exception {
    byte[] large = ("{\"text\":\"" + "x".repeat(BODY_BYTES) + "\"}").getBytes(UTF_8);
    try (StubServer source = new StubServer(peer -> answer(peer, large))) {
      ServerDirectory serverDirectory = ServerDirectory.withRules(temp, rules(source));
      try (ServerProcess server =
          ServerProcess.start(serverDirectory.directory(), ServerProcess.StartOptions.DEFAULTS)) {
        List<String> answers = callAll(server);

        assertThat(answers).allMatch(it -> it.startsWith("200 ") || isRefusal(it));
        assertThat(answers).anyMatch(it -> it.startsWith("200 ") && it.contains("\"result\""));
        assertThat(answers).anyMatch(LargeMessagesProcessTest::isRefusal);
        long refused = answers.stream().filter(LargeMessagesProcessTest::isRefusal).count();

        List<String> ofSource = callSource(server);

        assertThat(ofSource)
            .allMatch(it -> it.contains("\"text\"") || it.contains("\"reason\":\"overloaded\""))
            .anyMatch(it -> it.contains("\"text\""))
            .noneMatch(it -> it.contains("-32002"));
        assertThat(call(server, "/mcp", small("echo"))).startsWith("200 ").contains("\"result\"");
        await()
            .untilAsserted(() -> assertThat(metric(server, "gatebook_in_flight_bytes ")).isZero());
        await().untilAsserted(() -> assertThat(refusals(server)).isGreaterThanOrEqualTo(refused));
        assertThat(Files.readString(serverDirectory.directory().resolve("err")))
            .doesNotContain("OutOfMemoryError");
      }
    }
  }

  private static String rules(StubServer source) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo}
      - {id: large, kind: jsonrpc, prefix: large., url: "%s"}
    governance: {defaults: {action: forward}}
    """
        .formatted(source.url("/"));
  }

  private static void answer(StubServer.Peer peer, byte[] result) throws IOException {
    String head = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":".formatted(peer.request().id());
    peer.send(
        "HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(StubServer.JSON, head.length() + result.length + 1, head)
            .getBytes(UTF_8));
    peer.send(result);
    peer.send("}".getBytes(UTF_8));
  }

  /** All callers at once, of whom some send the second half only after all others are done. */
  private static List<String> callAll(ServerProcess server) throws Exception {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"a\":\"%s\"}}}"
            .formatted("x".repeat(BODY_BYTES));
    byte[] bytes = body.getBytes(UTF_8);
    List<String> answers = new ArrayList<>();
    CountDownLatch fastDone = new CountDownLatch(CALLERS - SLOW);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        boolean isSlow = i >= CALLERS - SLOW;
        calls.add(
            threads.submit(() -> {
              try {
                return call(server, "/mcp", bytes, isSlow ? fastDone : new CountDownLatch(0));
              } finally {
                fastDone.countDown();
              }
            }));
      }
      do {
        assertThat(server.probe("/ready").status()).isEqualTo(200);
        assertThat(server.probe("/health").status()).isEqualTo(200);
      } while (calls.stream().anyMatch(it -> !it.isDone()));
      for (Future<String> each : calls) {
        answers.add(each.get());
      }
    }
    return answers;
  }

  private static List<String> callSource(ServerProcess server) throws Exception {
    byte[] ask =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large.get\",\"params\":{}}".getBytes(UTF_8);
    List<String> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> calls = new ArrayList<>();
      for (int i = 0; i < ANSWERS; i++) {
        calls.add(threads.submit(() -> call(server, "/rpc", ask)));
      }
      for (Future<String> each : calls) {
        answers.add(each.get());
      }
    }
    return answers;
  }

  private static byte[] small(String tool) {
    return HostileTraffic.toolCall(tool).getBytes(UTF_8);
  }

  private static String call(ServerProcess server, String path, byte[] body) throws Exception {
    return call(server, path, body, new CountDownLatch(0));
  }

  /** The status and the beginning of the response; the rest of it is read too. */
  private static String call(
      ServerProcess server, String path, byte[] body, CountDownLatch beforeTheRest)
      throws IOException, InterruptedException {
    URI to = server.mcp();
    try (Socket socket = new Socket(to.getHost(), to.getPort())) {
      socket.setSoTimeout(SILENT_MILLIS_MAX);
      OutputStream out = socket.getOutputStream();
      out.write(HostileTraffic.head(path, "large", to.getAuthority(), body.length, null));
      for (int at = 0;
          at < body.length && socket.getInputStream().available() == 0;
          at += PIECE_BYTES) {
        if (at > body.length / 2) {
          beforeTheRest.await();
        }
        out.write(body, at, Math.min(PIECE_BYTES, body.length - at));
      }
      return response(socket.getInputStream());
    }
  }

  private static String response(InputStream in) throws IOException {
    String text = new String(in.readNBytes(2_000), UTF_8);
    long _ = in.transferTo(OutputStream.nullOutputStream());
    return text.substring("HTTP/1.1 ".length());
  }

  private static boolean isRefusal(String answer) {
    return answer.startsWith("503 ")
        && answer.toLowerCase(Locale.ROOT).contains("retry-after: 1")
        && answer.contains("\"id\":null")
        && answer.contains("\"code\":-32013")
        && answer.contains("\"reason\":\"overloaded\"");
  }

  private static long refusals(ServerProcess server) {
    long refused = 0;
    for (var group : server.request("audit.errors", "{\"limit\":1000}").get("groups")) {
      boolean isRefusal = group.path("fault").asText().equals("ServiceUnavailable");
      refused += isRefusal ? group.get("count").asLong() : 0;
    }
    return refused;
  }

  private static long metric(ServerProcess server, String start) {
    return server
        .probe("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
