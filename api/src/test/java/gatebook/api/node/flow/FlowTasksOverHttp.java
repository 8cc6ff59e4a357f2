package gatebook.api.node.flow;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.api.upstream.source.StubServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Flow tasks of a node over HTTP: one in every state, owned by joe, for requests to refer to. */
public final class FlowTasksOverHttp implements AutoCloseable {
  static final String JOE = NodeCaller.bearer(NodeCaller.JOE);
  static final String ANN = NodeCaller.bearer(NodeCaller.ANN);

  /** A pending root with the children {@link #CHILD} and {@link #DEPENDENT}. */
  static final String PARENT = id(1);

  /** A pending task on which {@link #DEPENDENT} depends. */
  static final String CHILD = id(2);

  static final String DEPENDENT = id(3);
  static final String COMPLETED = id(4);

  /** In progress: its tool waits for an approval. */
  static final String RUNNING = id(5);

  static final String CANCELLED = id(6);

  /** A pending root that requires {@link #CANCELLED}. */
  static final String BLOCKED = id(7);

  /** A task whose tool reports an error. */
  static final String FAILED = id(8);

  /** A task that governance denies. */
  static final String DENIED = id(9);

  /** A task whose tool does not answer in time. */
  static final String SLOW = id(10);

  /** A task whose tool refuses its inputs. */
  static final String REFUSED = id(11);

  static final String MISSING = id(99);

  private final StubServer crawler;
  private final WatchedNode node;

  private FlowTasksOverHttp(StubServer crawler, WatchedNode node) {
    this.crawler = crawler;
    this.node = node;
  }

  /** Starts a node of the class and creates the tasks. */
  static FlowTasksOverHttp start(TestNodes nodes) throws IOException {
    StubServer crawler = StubServer.each(FlowTasksOverHttp::crawl);
    FlowTasksOverHttp tasks =
        new FlowTasksOverHttp(crawler, nodes.shared(rules(crawler.url("/mcp").toString())));
    tasks.create();
    return tasks;
  }

  private static String rules(String url) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo, expose: {mode: allowlist, tools: [echo, deploy, delete_all]}}
      - {id: crawler, kind: mcp, prefix: x_, url: "%s", timeout: 500ms,
         expose: {mode: allowlist, tools: [web_crawler, slow, refusing]}}
    governance:
      defaults: {action: forward}
      rules:
        - {match: "delete_*", action: deny}
        - {match: "deploy", action: approve, approval: ops}
    approval: {ops: {timeout: 10m}}
    limits: {refusals_per_second_max: 10000}
    """
            .formatted(url)
        + NodeCaller.people();
  }

  private static void crawl(StubServer.Peer peer) throws IOException {
    StubServer.Request request = peer.request();
    if (request.body().contains("\"name\":\"slow\"")) {
      peer.waitForEnd();
    } else if (request.body().contains("\"name\":\"refusing\"")) {
      answer(peer, request, "\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}");
    } else {
      answer(
          peer,
          request,
          """
          "result":{"isError":true,"content":[{"type":"text","text":"Connection timeout after 30 \
          seconds"}]}\
          """);
    }
  }

  private static void answer(StubServer.Peer peer, StubServer.Request request, String outcome)
      throws IOException {
    peer.answer(
        200,
        StubServer.JSON,
        """
        {"jsonrpc":"2.0","id":%s,%s}\
        """
            .formatted(request.id(), outcome));
  }

  /** A UUID of version 4 that ends in a number. */
  public static String id(int number) {
    return "00000000-0000-4000-8000-%012d".formatted(number);
  }

  public static String task(
      String id, @Nullable String parent, @Nullable String tool, String... needs) {
    return """
    {"id":"%s","name":"task %s"%s%s%s,"dependencies":[%s]}\
    """
        .formatted(
            id,
            id,
            parent == null ? "" : ",\"parent_id\":\"%s\"".formatted(parent),
            tool == null ? "" : ",\"schemas\":{\"method\":\"%s\"}".formatted(tool),
            "deploy".equals(tool) ? ",\"inputs\":{\"version\":\"1\"}" : "",
            needs.length == 0 ? "" : "{\"id\":\"" + String.join("\"},{\"id\":\"", needs) + "\"}");
  }

  private void create() throws IOException {
    create(
        task(PARENT, null, "echo"),
        task(CHILD, PARENT, "echo"),
        task(DEPENDENT, PARENT, "echo", CHILD));
    create(task(COMPLETED, null, "echo"));
    create(task(RUNNING, null, "deploy"));
    create(task(BLOCKED, null, "echo", CANCELLED), task(CANCELLED, BLOCKED, "echo"));
    create(task(FAILED, null, "web_crawler"));
    create(task(DENIED, null, "delete_all"));
    create(task(SLOW, null, "slow"));
    create(task(REFUSED, null, "refusing"));
    result("tasks.execute", "{\"task_id\":\"%s\",\"wait\":true}".formatted(COMPLETED));
    result("tasks.execute", "{\"task_id\":\"%s\"}".formatted(RUNNING));
    result("tasks.cancel", "{\"task_id\":\"%s\"}".formatted(CANCELLED));
    await().until(() -> status(RUNNING).equals("in_progress"));
  }

  private void create(String... tasks) throws IOException {
    result("tasks.create", "[" + String.join(",", tasks) + "]");
  }

  private String status(String id) throws IOException {
    return result("tasks.get", "{\"task_id\":\"%s\"}".formatted(id)).path("status").asText();
  }

  /** The result of a request that succeeds. */
  JsonNode result(String method, String params) throws IOException {
    return node.joe().flow(method, params).result();
  }

  public static String request(String id, String method, String params) {
    return """
    {"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\
    """
        .formatted(id, method, params);
  }

  WatchedNode node() {
    return node;
  }

  @Override
  public void close() throws IOException {
    crawler.close();
  }
}
