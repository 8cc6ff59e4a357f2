package gatebook.api.node.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Peer;
import gatebook.api.upstream.source.StubServer.Request;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stub of an agent: each message but a hostile one makes a task, of which it remembers nothing.
 * Its streams have the items that a test gives.
 */
public final class StubAgent implements AutoCloseable {
  /** The body of a response with another status than 200. */
  static final String PAGE = "<html>its secret page</html>";

  private static final JsonMapper JSON = new JsonMapper();
  private static final Set<String> STREAMS =
      Set.of("message/stream", "SendStreamingMessage", "tasks/resubscribe", "SubscribeToTask");

  public final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  public final List<String> versions = new CopyOnWriteArrayList<>();

  /** The headers of each request, without the request line. */
  public final List<List<String>> headers = new CopyOnWriteArrayList<>();

  public final AtomicInteger cards = new AtomicInteger();

  /** How many of the next requests are answered with 503. */
  public final AtomicInteger unavailable = new AtomicInteger();

  /** How many of the next requests for the card are answered with 503. */
  public final AtomicInteger cardsUnavailable = new AtomicInteger();

  /** Sends the items of each stream. */
  public volatile StreamScript streamScript = StubStream::complete;

  /** Answers the messages with the text {@code script}. */
  public volatile StreamScript answerScript = StubStream::waitForEnd;

  /** Whether the card says that there are streams. */
  public volatile boolean streaming = true;

  private final AtomicInteger tasks = new AtomicInteger();

  /** The number of tasks that it had when it forgot its requests. */
  private volatile int tasksBefore;

  private final boolean isV1;
  private final StubServer server = StubServer.each(this::answer);

  /** The script of a stream or of another response. */
  @FunctionalInterface
  public interface StreamScript {
    void run(StubStream stream) throws IOException;
  }

  /** One stream or other response, about the task of the request or a new one. */
  public final class StubStream {
    private final Peer peer;
    private final JsonNode request;
    private final String task;
    private boolean isOpen;

    private StubStream(Peer peer, JsonNode request) {
      this.peer = peer;
      this.request = request;
      this.task =
          request.at("/params/id").isMissingNode()
              ? "task-" + tasks.incrementAndGet()
              : id(request);
    }

    /** All items of a task that is completed. */
    public void complete() throws IOException {
      task("working");
      artifact("part");
      status("completed", true);
    }

    public void task(String state) throws IOException {
      task(task, state);
    }

    public void task(String id, String state) throws IOException {
      String json = StubAgent.this.task(id, "context-" + id.substring(5), state);
      item(isV1 ? "{\"task\":%s}".formatted(json) : json);
    }

    public void status(String state, boolean isFinal) throws IOException {
      status("context-" + task.substring(5), state, isFinal);
    }

    public void status(String contextId, String state, boolean isFinal) throws IOException {
      item(
          isV1
              ? """
              {"statusUpdate":{"taskId":"%s","contextId":"%s","status":{"state":"%s"}}}\
              """
                  .formatted(task, contextId, state(state))
              : """
              {"kind":"status-update","taskId":"%s","contextId":"%s","status":{"state":"%s"},\
              "final":%b}\
              """
                  .formatted(task, contextId, state, isFinal));
    }

    public void artifact(String text) throws IOException {
      String ids =
          "\"taskId\":\"%s\",\"contextId\":\"context-%s\"".formatted(task, task.substring(5));
      item(
          isV1
              ? """
              {"artifactUpdate":{%s,"artifact":{"artifactId":"a","parts":[{"text":"%s"}]}}}\
              """
                  .formatted(ids, text)
              : """
              {"kind":"artifact-update",%s,"artifact":{"artifactId":"a",\
              "parts":[{"kind":"text","text":"%s"}]}}\
              """
                  .formatted(ids, text));
    }

    public void message(String text) throws IOException {
      item(
          isV1
              ? """
              {"message":{"messageId":"m9","role":"ROLE_AGENT","parts":[{"text":"%s"}]}}\
              """
                  .formatted(text)
              : """
              {"kind":"message","messageId":"m9","role":"agent",\
              "parts":[{"kind":"text","text":"%s"}]}\
              """
                  .formatted(text));
    }

    void item(String json) throws IOException {
      data(response(request, json));
    }

    public void error(int code, String message) throws IOException {
      data(StubAgent.error(request, code, message));
    }

    public void data(String data) throws IOException {
      begin();
      peer.send("data: %s\n\n".formatted(data));
    }

    /** The head of the response, unless it was sent. */
    public void begin() throws IOException {
      if (!isOpen) {
        peer.send("HTTP/1.1 200 OK\r\n%s\r\n".formatted(StubServer.EVENTS));
      }
      isOpen = true;
    }

    /** Sends these bytes and nothing else. */
    public void raw(String bytes) throws IOException {
      peer.send(bytes);
    }

    /** Sends the same again until the other side closes the connection. */
    public void endlessly(String bytes) throws IOException {
      while (true) {
        peer.send(bytes);
      }
    }

    /** A whole response that is no stream. */
    public void answer(String body) throws IOException {
      peer.answer(200, StubServer.JSON, body);
    }

    /** A task with these ids, as a whole response. */
    public void sent(String id, String contextId) throws IOException {
      answer(response(request, StubAgent.this.sent(id, contextId)));
    }

    /** Sends nothing more until the other side closes the connection. */
    public void waitForEnd() throws IOException {
      peer.waitForEnd();
    }
  }

  /** Connections that neither side has closed. */
  public int open() {
    return server.open();
  }

  public StubAgent(boolean isV1) {
    this.isV1 = isV1;
  }

  public String url() {
    return server.url("/agent").toString();
  }

  /** Forgets requests and scripts; its next tasks have other ids than those before. */
  public void forget() {
    tasksBefore = tasks.get();
    requests.clear();
    versions.clear();
    headers.clear();
    unavailable.set(0);
    cardsUnavailable.set(0);
    streamScript = StubStream::complete;
    answerScript = StubStream::waitForEnd;
    streaming = true;
  }

  /** The id of a task by its number, of which the first is 1. */
  public String task(int number) {
    return "task-" + (tasksBefore + number);
  }

  /** The context of {@link #task}. */
  public String context(int number) {
    return "context-" + (tasksBefore + number);
  }

  private void answer(Peer peer) throws IOException {
    Request request = peer.request();
    if (request.head().startsWith("GET")) {
      cards.incrementAndGet();
      if (cardsUnavailable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        peer.answer(503, "", "secret");
        return;
      }
      peer.answer(200, StubServer.JSON, card());
      return;
    }
    JsonNode message = JSON.readTree(request.body());
    requests.add(message);
    versions.add(request.header("A2A-Version"));
    headers.add(request.head().lines().skip(1).filter(line -> !line.isEmpty()).toList());
    if (unavailable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      peer.answer(503, "", "");
      return;
    }
    switch (message.at("/params/message/parts/0/text").asText()) {
      case "garbage" -> peer.answer(200, StubServer.JSON, "no json");
      case "hang" -> peer.waitForEnd();
      case "steal" -> peer.answer(200, StubServer.JSON, response(message, sent(task(1), "c-x")));
      case "break" ->
          peer.answer(
              200, StubServer.JSON, response(message, sent("task-broken", "context-b", "failed")));
      case "script" -> {
        answerScript.run(new StubStream(peer, message));
        throw new IOException("the response has ended");
      }
      case String text when text.startsWith("status ") ->
          peer.answer(Integer.parseInt(text.substring(7)), "", PAGE);
      case String text when text.startsWith("error ") ->
          peer.answer(
              200,
              StubServer.JSON,
              error(message, Integer.parseInt(text.substring(6)), "its own words"));
      case "fail" -> peer.answer(200, StubServer.JSON, error(message, -32_603, "broken"));
      case String _ when STREAMS.contains(message.path("method").asText()) -> {
        streamScript.run(new StubStream(peer, message));
        throw new IOException("the stream has ended");
      }
      default -> peer.answer(200, StubServer.JSON, response(message, result(message)));
    }
  }

  private String card() {
    String skills =
        """
        "capabilities":{"streaming":%b},"skills":[{"id":"route","name":"Route"},\
        {"id":"secret","name":"Secret"},{"id":"plan","name":"Plan"}],"iconUrl":"%s/icon","documentationUrl":"http://docs.example"\
        """
            .formatted(streaming, url());
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

  private static String error(JsonNode message, int code, String text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"%s\"}}"
        .formatted(message.path("id"), code, text);
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
                  task(task(1), context(1), "completed"), task(task(2), context(2), "completed"));
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
    return sent(id, contextId, "completed");
  }

  private String sent(String id, String contextId, String state) {
    String task = task(id, contextId, state);
    return isV1 ? "{\"task\":%s}".formatted(task) : task;
  }

  private String task(String id, String contextId, String state) {
    return isV1
        ? """
        {"id":"%s","contextId":"%s","status":{"state":"%s"},"artifacts":[\
        {"artifactId":"a","parts":[{"text":"done"},{"data":[1,2.50]},\
        {"url":"http://f","filename":"f.txt","mediaType":"text/plain"}]}]}\
        """
            .formatted(id, contextId, state(state))
        : """
        {"kind":"task","id":"%s","contextId":"%s","status":{"state":"%s"},"artifacts":[\
        {"artifactId":"a","parts":[{"kind":"text","text":"done"},\
        {"kind":"data","data":{"value":[1,2.50]}},\
        {"kind":"file","file":{"uri":"http://f","name":"f.txt","mimeType":"text/plain"}}]}]}\
        """
            .formatted(id, contextId, state);
  }

  private static String state(String word) {
    return "TASK_STATE_" + word.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
