package gatebook.api.node.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.a2a.client.http.A2ACardResolver;
import io.a2a.client.http.A2AHttpClient.PostBuilder;
import io.a2a.client.http.A2AHttpResponse;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.spec.DataPart;
import io.a2a.spec.JSONRPCError;
import io.a2a.spec.Message;
import io.a2a.spec.MessageSendConfiguration;
import io.a2a.spec.MessageSendParams;
import io.a2a.spec.Part;
import io.a2a.spec.PushNotificationConfig;
import io.a2a.spec.StreamingEventKind;
import io.a2a.spec.TaskIdParams;
import io.a2a.spec.TaskPushNotificationConfig;
import io.a2a.spec.TaskQueryParams;
import io.a2a.spec.TextPart;
import io.a2a.util.Utils;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of A2A 0.3 with the official Java SDK, which does everything that it can with one agent,
 * and keeps what came of each step, with ids and times replaced by their order.
 */
final class JavaAgentClient {
  private static final JsonMapper JSON = new JsonMapper();
  private static final long TIMEOUT_SECONDS = 60;
  private static final List<String> IDS = List.of("id", "taskId", "contextId", "messageId");
  private static final int ID_CHARS_MIN = 20;
  private static final Object END = "end";
  private static final String MESSAGE = "message";

  private final JSONRPCTransport transport;
  private final Map<String, String> skills;
  private volatile BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
  private final Map<String, JsonNode> steps = new LinkedHashMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();

  private JavaAgentClient(String url, Map<String, String> skills) {
    this.transport = new JSONRPCTransport(new EndToldHttpClient(), null, url, List.of());
    this.skills = Map.copyOf(skills);
  }

  /** One step: its value is what the SDK returned. */
  @FunctionalInterface
  private interface Act {
    Object perform() throws Exception;
  }

  @FunctionalInterface
  private interface Streaming {
    void start(Consumer<StreamingEventKind> items, Consumer<Throwable> failure) throws Exception;
  }

  /** What came of each step at the agent with this address: its result, or its error. */
  static Map<String, JsonNode> calls(String url) {
    return new JavaAgentClient(url, Map.of()).calls();
  }

  /** The same with an agent whose card is at a path of a server; wishes are called as skills. */
  static Map<String, JsonNode> callsByCard(
      String serverUrl, String cardPath, Map<String, String> skills) throws Exception {
    A2ACardResolver resolver = new A2ACardResolver(new JdkA2AHttpClient(), serverUrl, cardPath);
    return new JavaAgentClient(resolver.getAgentCard().url(), skills).calls();
  }

  private Map<String, JsonNode> calls() {
    String done = step("send", () -> send("plan", true)).path("id").asText();
    step("get", () -> get(done));
    step("send: failed task", () -> send("fail", true));
    step("send: message", () -> send("greet", true));
    String waiting = step("send: without waiting", () -> send("wait", false)).path("id").asText();
    step("get: working task", () -> get(waiting));
    String left = step("send: to be cancelled", () -> send("wait", false)).path("id").asText();
    step("cancel", () -> cancel(left));
    step("get: cancelled task", () -> get(left));
    step("get: unknown task", () -> get("none"));
    step("cancel: unknown task", () -> cancel("none"));
    step("cancel: ended task", () -> cancel(done));
    step("send: to an ended task", () -> send("plan", true, done));
    step("send: to an unknown task", () -> send("plan", true, "none"));
    step("push", () -> push(done));
    step("subscribe", () -> items(subscription(waiting), () -> cancel(waiting)));
    step("subscribe: ended task", () -> items(subscription(done), () -> ""));
    step("subscribe: unknown task", () -> items(subscription("none"), () -> ""));
    step("stream", () -> items(stream("plan"), () -> ""));
    step("stream: failed task", () -> items(stream("fail"), () -> ""));
    step("stream: message", () -> items(stream("greet"), () -> ""));
    step("stream: denied", () -> items(stream("deny"), () -> ""));
    step("hang up", () -> send("hang up", true));
    transport.close();
    return steps;
  }

  private Object send(String wish, boolean waits) throws Exception {
    return send(wish, waits, null);
  }

  private Object send(String wish, boolean waits, @Nullable String taskId) throws Exception {
    return transport.sendMessage(params(wish, waits, taskId), null);
  }

  private MessageSendParams params(String wish, boolean waits, @Nullable String taskId) {
    String skill = skills.get(wish);
    Part<?> part = skill == null ? new TextPart(wish) : new DataPart(Map.of("version", "1"));
    Message message =
        new Message.Builder()
            .role(Message.Role.USER)
            .messageId(UUID.randomUUID().toString())
            .parts(part)
            .taskId(taskId)
            .metadata(skill == null ? null : Map.of("skillId", skill))
            .build();
    return new MessageSendParams(
        message, new MessageSendConfiguration(List.of(), null, null, waits), null);
  }

  private Object get(String id) throws Exception {
    return transport.getTask(new TaskQueryParams(id, 10), null);
  }

  private Object cancel(String id) throws Exception {
    return transport.cancelTask(new TaskIdParams(id), null);
  }

  private Object push(String taskId) throws Exception {
    return transport.setTaskPushNotificationConfiguration(
        new TaskPushNotificationConfig(
            taskId, new PushNotificationConfig("http://127.0.0.1:1/", null, null, "p")),
        null);
  }

  private Streaming subscription(String id) {
    return (items, failure) -> transport.resubscribe(new TaskIdParams(id), items, failure, null);
  }

  private Streaming stream(String wish) {
    return (items, failure) ->
        transport.sendMessageStreaming(params(wish, true, null), items, failure, null);
  }

  /** The items up to the last, or to the end of the stream. */
  private ArrayNode items(Streaming streaming, Act onFirst) throws Exception {
    BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    arrived = queue;
    streaming.start(queue::add, queue::add);
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    Object next = next(queue);
    while (!END.equals(next)) {
      if (next instanceof Throwable failure) {
        throw new ExecutionException(failure);
      }
      JsonNode item = json(next);
      items.add(item);
      boolean isLast = item.path("final").asBoolean() || item.path("kind").asText().equals(MESSAGE);
      if (items.size() == 1 && !isLast) {
        Object _ = onFirst.perform();
      }
      next = isLast ? END : next(queue);
    }
    return items;
  }

  private static Object next(BlockingQueue<Object> queue) throws Exception {
    Object next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (next == null) {
      throw new IOException("the stream does not end");
    }
    return next;
  }

  /** The SDK's HTTP client, which also tells when a stream ended: the SDK keeps that for itself. */
  private final class EndToldHttpClient extends JdkA2AHttpClient {
    @Override
    public PostBuilder createPost() {
      BlockingQueue<Object> queue = arrived;
      return new EndToldPost(super.createPost(), () -> queue.add(END));
    }
  }

  private record EndToldPost(PostBuilder delegate, Runnable onEnd) implements PostBuilder {
    @Override
    public PostBuilder url(String url) {
      return new EndToldPost(delegate.url(url), onEnd);
    }

    @Override
    public PostBuilder addHeaders(Map<String, String> headers) {
      return new EndToldPost(delegate.addHeaders(headers), onEnd);
    }

    @Override
    public PostBuilder addHeader(String name, String value) {
      return new EndToldPost(delegate.addHeader(name, value), onEnd);
    }

    @Override
    public PostBuilder body(String body) {
      return new EndToldPost(delegate.body(body), onEnd);
    }

    @Override
    public A2AHttpResponse post() throws IOException, InterruptedException {
      return delegate.post();
    }

    @Override
    public CompletableFuture<Void> postAsyncSSE(
        Consumer<String> items, Consumer<Throwable> failure, Runnable complete)
        throws IOException, InterruptedException {
      CompletableFuture<Void> ended = delegate.postAsyncSSE(items, failure, complete);
      CompletableFuture<Void> _ = ended.whenComplete((_, _) -> onEnd.run());
      return ended;
    }
  }

  private JsonNode step(String name, Act act) {
    JsonNode raw;
    JsonNode told;
    try {
      raw = json(act.perform());
      told = named(raw);
    } catch (Exception failure) {
      raw = JsonNodeFactory.instance.objectNode();
      told = error(failure);
    }
    steps.put(name, told);
    return raw;
  }

  private static JsonNode json(@Nullable Object value) throws Exception {
    return value instanceof JsonNode node
        ? node
        : JSON.readTree(Utils.OBJECT_MAPPER.writeValueAsString(value));
  }

  /** An error of the protocol has a name of the SDK; any other is one of the connection. */
  private static ObjectNode error(Throwable failure) {
    Throwable told = failure;
    while (!(told instanceof JSONRPCError) && told.getCause() != null) {
      told = told.getCause();
    }
    return JsonNodeFactory.instance.objectNode().put("name", told.getClass().getSimpleName());
  }

  /** Ids and times differ each time; which of them are the same does not. */
  private JsonNode named(JsonNode value) throws Exception {
    value.findParents("timestamp").forEach(status -> ((ObjectNode) status).put("timestamp", "T"));
    collect(value);
    String text = value.toString();
    for (Map.Entry<String, String> name : names.entrySet()) {
      text = text.replace(name.getKey(), name.getValue());
    }
    return JSON.readTree(text);
  }

  private void collect(JsonNode value) {
    value
        .properties()
        .forEach(member -> {
          if (IDS.contains(member.getKey()) && member.getValue().asText().length() > ID_CHARS_MIN) {
            names.computeIfAbsent(member.getValue().asText(), _ -> "id-" + (names.size() + 1));
          }
          collect(member.getValue());
        });
    if (value.isArray()) {
      value.forEach(this::collect);
    }
  }
}
