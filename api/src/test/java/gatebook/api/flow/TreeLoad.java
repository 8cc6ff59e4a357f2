package gatebook.api.flow;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The load of trees, and of plain calls of the same tool, on one server over HTTP. */
final class TreeLoad {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final URI mcp;
  private final URI flow;
  private final URI protocol;

  TreeLoad(URI server) {
    this.mcp = server.resolve("/mcp");
    this.flow = server.resolve("/flow/tasks");
    this.protocol = server.resolve("/flow");
  }

  /** Creates a tree; the response has all its tasks. */
  void create(BenchTree tree) throws IOException, InterruptedException {
    send(flow, "tasks.create", tree.tasks(), "\"status\":\"pending\"");
  }

  /** Creates a tree; the response has the id of its root. */
  void createInProtocol(BenchTree tree) throws IOException, InterruptedException {
    send(protocol, "tasks.create", tree.tasks(), "\"status\":\"pending\"");
  }

  /** Runs a created tree to its end. */
  void run(BenchTree tree) throws IOException, InterruptedException {
    send(
        flow,
        "tasks.execute",
        "{\"task_id\":\"%s\",\"wait\":true}".formatted(tree.rootId()),
        "\"status\":\"completed\"");
  }

  /** Creates trees and runs them to their ends, all at once. */
  void runAtOnce(BenchTree.Form form, int size, int trees) throws InterruptedException {
    List<BenchTree> all = Stream.generate(() -> BenchTree.of(form, size)).limit(trees).toList();
    atOnce(
        trees,
        all.stream()
            .<Callable<Void>>map(tree ->
                () -> {
                  send(
                      flow,
                      "tasks.execute",
                      "{\"tasks\":%s,\"wait\":true}".formatted(tree.tasks()),
                      "\"status\":\"completed\"");
                  return null;
                })
            .toList());
  }

  /** Calls the tool of the tasks directly, with so many calls at once. */
  void call(int calls, int atOnce) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    Callable<Void> caller =
        () -> {
          for (int n = next.getAndIncrement(); n < calls; n = next.getAndIncrement()) {
            send(
                mcp,
                "tools/call",
                "{\"name\":\"echo\",\"arguments\":{\"n\":%d}}".formatted(n),
                "\"result\"");
          }
          return null;
        };
    atOnce(atOnce, IntStream.range(0, atOnce).mapToObj(_ -> caller).toList());
  }

  private static void atOnce(int threads, List<Callable<Void>> work) throws InterruptedException {
    try (ExecutorService executor =
        Executors.newFixedThreadPool(threads, Thread.ofVirtual().factory())) {
      for (Future<Void> each : executor.invokeAll(work)) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request of the benchmark failed", e);
    }
  }

  private void send(URI url, String method, String params, String expected)
      throws IOException, InterruptedException {
    String body =
        http.send(
                HttpRequest.newBuilder(url)
                    .header("Content-Type", "application/json")
                    .POST(
                        BodyPublishers.ofString(
                            """
                            {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
                            """
                                .formatted(method, params)))
                    .build(),
                BodyHandlers.ofString())
            .body();
    if (!body.contains(expected)) {
      throw new IOException("%s is answered with %.500s".formatted(method, body));
    }
  }
}
