package gatebook.api.proof;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.proof.RandomTrees.RandomTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Concurrent callers that execute trees, also again, cancel tasks and read results, until the
 * server is gone.
 */
final class TreeCallers {
  private final Map<String, RandomTree> trees = new ConcurrentHashMap<>();
  private final Map<String, String> seenResults = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  /** The trees that were sent, by the ids of their roots. */
  Map<String, RandomTree> trees() {
    return Map.copyOf(trees);
  }

  /** The results of the tasks that a caller was told to be completed, by their ids. */
  Map<String, String> seenResults() {
    return Map.copyOf(seenResults);
  }

  void start(int count, URI url, SplittableRandom random) {
    stopping = false;
    for (int number = 0; number < count; number++) {
      SplittableRandom own = random.split();
      threads.add(Thread.ofVirtual().start(() -> call(url, own)));
    }
  }

  /** Returns when every caller has lost the server or has its last response. */
  void join() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  private void call(URI url, SplittableRandom random) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      FlowClient flow = new FlowClient(http, url);
      RandomTrees randomTrees = new RandomTrees(random);
      while (!stopping) {
        RandomTree tree = randomTrees.next();
        trees.put(tree.root(), tree);
        execute(flow, tree, random);
      }
    } catch (IOException _) {
      // the server is gone
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void execute(FlowClient flow, RandomTree tree, SplittableRandom random)
      throws IOException, InterruptedException {
    var _ =
        flow.request(
            "tasks.execute",
            "{\"tasks\":%s,\"wait\":%b}".formatted(tree.json(), random.nextBoolean()));
    if (random.nextInt(8) == 0) {
      var _ = flow.request("tasks.cancel", id(tree.ids().get(random.nextInt(tree.ids().size()))));
    }
    if (random.nextInt(4) == 0) {
      var _ = flow.request("tasks.execute", id(tree.root()));
    }
    see(flow.request("tasks.tree", id(tree.root())).path("result"), seenResults);
  }

  private static String id(String taskId) {
    return "{\"task_id\":\"%s\"}".formatted(taskId);
  }

  /** Adds the results of the completed tasks of a tree. */
  static void see(JsonNode tree, Map<String, String> results) {
    JsonNode task = tree.path("task");
    if (task.path("status").asText().equals("completed")) {
      results.put(task.path("id").asText(), task.path("result").toString());
    }
    tree.path("children").forEach(child -> see(child, results));
  }

  /** Sends requests about trees to one server. */
  record FlowClient(HttpClient http, URI url) {
    JsonNode request(String method, String params) throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(url)
              .header("Content-Type", "application/json")
              .POST(
                  BodyPublishers.ofString(
                      """
                      {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
                      """
                          .formatted(method, params)))
              .build();
      return ServerProcess.json(http.send(request, BodyHandlers.ofString()).body());
    }
  }
}
