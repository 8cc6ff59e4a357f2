package gatebook.api.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Peer;
import gatebook.api.upstream.source.StubServer.Request;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stub of an agent: each message but a hostile one makes a task, of which it remembers nothing.
 */
final class StubAgent implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  final List<String> versions = new CopyOnWriteArrayList<>();
  final AtomicInteger cards = new AtomicInteger();

  /** How many of the next requests are answered with 503. */
  final AtomicInteger unavailable = new AtomicInteger();

  private final AtomicInteger tasks = new AtomicInteger();
  private final boolean isV1;
  private final StubServer server = StubServer.each(this::answer);

  StubAgent(boolean isV1) {
    this.isV1 = isV1;
  }

  String url() {
    return server.url("/agent").toString();
  }

  private void answer(Peer peer) throws IOException {
    Request request = peer.request();
    if (request.head().startsWith("GET")) {
      cards.incrementAndGet();
      peer.answer(200, StubServer.JSON, card());
      return;
    }
    JsonNode message = JSON.readTree(request.body());
    requests.add(message);
    versions.add(request.header("A2A-Version"));
    if (unavailable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      peer.answer(503, "", "");
      return;
    }
    switch (message.at("/params/message/parts/0/text").asText()) {
      case "garbage" -> peer.answer(200, StubServer.JSON, "no json");
      case "hang" -> peer.waitForEnd();
      case "steal" -> peer.answer(200, StubServer.JSON, response(message, sent("task-1", "c-x")));
      case "fail" ->
          peer.answer(
              200,
              StubServer.JSON,
              "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32603,\"message\":\"broken\"}}"
                  .formatted(message.path("id")));
      default -> peer.answer(200, StubServer.JSON, response(message, result(message)));
    }
  }

  private String card() {
    String skills = "\"skills\":[{\"id\":\"route\",\"name\":\"Route\"}]";
    return isV1
        ? """
        {"name":"planner","version":"1","supportedInterfaces":[{"url":"%s",\
        "protocolBinding":"JSONRPC","protocolVersion":"1.0"}],%s}\
        """
            .formatted(url(), skills)
        : """
        {"name":"planner","version":"1","protocolVersion":"0.3.0","url":"%s",%s}\
        """
            .formatted(url(), skills);
  }

  private static String response(JsonNode message, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(message.path("id"), result);
  }

  private String result(JsonNode message) {
    return switch (message.path("method").asText()) {
      case "message/send", "SendMessage" -> {
        int number = tasks.incrementAndGet();
        JsonNode old = message.at("/params/message/taskId");
        yield old.isMissingNode()
            ? sent("task-" + number, "context-" + number)
            : sent(old.asText(), "context-" + old.asText().substring(5));
      }
      case "tasks/cancel", "CancelTask" -> task(id(message), context(message), "canceled");
      case "ListTasks" ->
          "{\"tasks\":[%s,%s],\"nextPageToken\":\"\",\"pageSize\":50,\"totalSize\":2}"
              .formatted(
                  task("task-1", "context-1", "completed"),
                  task("task-2", "context-2", "completed"));
      default -> task(id(message), context(message), "completed");
    };
  }

  private static String id(JsonNode message) {
    return message.at("/params/id").asText();
  }

  private static String context(JsonNode message) {
    return "context-" + id(message).substring(5);
  }

  private String sent(String id, String contextId) {
    String task = task(id, contextId, "completed");
    return isV1 ? "{\"task\":%s}".formatted(task) : task;
  }

  private String task(String id, String contextId, String state) {
    return isV1
        ? """
        {"id":"%s","contextId":"%s","status":{"state":"TASK_STATE_%s"},"artifacts":[\
        {"artifactId":"a","parts":[{"text":"done"},{"data":[1,2.50]},\
        {"url":"http://f","filename":"f.txt","mediaType":"text/plain"}]}]}\
        """
            .formatted(id, contextId, state.toUpperCase(Locale.ROOT))
        : """
        {"kind":"task","id":"%s","contextId":"%s","status":{"state":"%s"},"artifacts":[\
        {"artifactId":"a","parts":[{"kind":"text","text":"done"},\
        {"kind":"data","data":{"value":[1,2.50]}},\
        {"kind":"file","file":{"uri":"http://f","name":"f.txt","mimeType":"text/plain"}}]}]}\
        """
            .formatted(id, contextId, state);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
