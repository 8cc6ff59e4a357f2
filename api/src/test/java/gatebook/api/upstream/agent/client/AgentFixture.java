package gatebook.api.upstream.agent.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.http.tls.ClientTls;
import gatebook.api.upstream.RetrySchedule;
import gatebook.api.upstream.http.TestEventLoops;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Peer;
import gatebook.api.upstream.source.StubServer.Request;
import gatebook.api.upstream.source.StubServer.Script;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Clients of agents for which pauses between attempts take no time. */
public final class AgentFixture implements AutoCloseable {

  static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  static final AgentStreamListener IGNORING = _ -> DONE;

  /** Limits that no test reaches by being slow. */
  static final AgentLimits PATIENT =
      new AgentLimits(
          120_000, 120_000, 120_000, 120_000, 240_000, 10L << 20, 1L << 20, 10L << 20, 100_000,
          1L << 30, 256, 1_024, 300_000);

  /** Short enough to wait for, and long enough to connect on a busy machine. */
  static final long SHORT_MILLIS = 1_500;

  static final RetryTiming INSTANT = new RetryTiming(() -> Instant.EPOCH, () -> 0.5, _ -> DONE);

  static final String BY_ID =
      """
      {"id":"t1"}\
      """;

  static final String MESSAGE =
      """
      {"message":{"messageId":"m1","role":"user","parts":[]}}\
      """;

  final List<Attempt> attempts = new CopyOnWriteArrayList<>();

  private final List<AgentClient> clients = new ArrayList<>();

  AgentClient client(URI url) {
    return client(url, PATIENT);
  }

  AgentClient client(URI url, AgentLimits limits) {
    return client(url, AgentSettings.of(limits, INSTANT));
  }

  AgentClient client(URI url, AgentSettings settings) {
    AgentClient client =
        new AgentClient(
            url,
            Map.of("Authorization", "Bearer ours"),
            settings,
            TestEventLoops.LOOPS,
            ClientTls.DEFAULT::context);
    clients.add(client);
    return client;
  }

  /** Settings with which a request that gets no answer is soon retried once, and given up. */
  static AgentSettings impatient() {
    AgentLimits limits =
        changed(
            changed(PATIENT, "answerMillisMax", SHORT_MILLIS), "streamIdleMillisMax", SHORT_MILLIS);
    return new AgentSettings(
        limits, RetrySchedule.doubling(Duration.ofMillis(100), Duration.ofMillis(100), 1), INSTANT);
  }

  /** The patient limits with another value of one of them. */
  static AgentLimits limits(String name, long value) {
    return changed(PATIENT, name, value);
  }

  private static AgentLimits changed(AgentLimits limits, String name, long value) {
    try {
      List<Class<?>> types = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      for (RecordComponent each : AgentLimits.class.getRecordComponents()) {
        Number number =
            each.getName().equals(name) ? value : (Number) each.getAccessor().invoke(limits);
        types.add(each.getType());
        values.add(each.getType() == int.class ? (Object) number.intValue() : number.longValue());
      }
      return AgentLimits.class
          .getDeclaredConstructor(types.toArray(Class<?>[]::new))
          .newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An agent that takes a request and does not answer. */
  static void hang(Peer peer) throws IOException {
    Request _ = peer.request();
    peer.waitForEnd();
  }

  /** Options whose listener notes all attempts. */
  AgentCallOptions noting() {
    return new AgentCallOptions(
        Map.of(),
        attempt -> {
          attempts.add(attempt);
          return CompletableFuture.completedFuture(true);
        });
  }

  /** The pauses that followed the noted attempts. */
  List<Long> pauses() {
    return attempts.stream().map(Attempt::nextMillis).filter(millis -> millis != null).toList();
  }

  static AgentEndpoint endpoint(StubServer agent, A2aVersion version) {
    return new AgentEndpoint(agent.url("/a2a"), version, null);
  }

  /** An agent that answers each request alike; ID is the request's id. */
  static Script answering(int status, String headers, String body) {
    return peer -> answer(peer, peer.request(), status, headers, body);
  }

  static void answer(Peer peer, Request request, int status, String headers, String body)
      throws IOException {
    String id = request.body().isEmpty() ? "" : request.id();
    peer.answer(status, headers, body.replace("ID", id).getBytes(UTF_8));
  }

  static String result(String json) {
    return """
    {"jsonrpc":"2.0","id":ID,"result":%s}\
    """
        .formatted(json);
  }

  static String error(int code, String message) {
    return """
    {"jsonrpc":"2.0","id":ID,"error":{"code":%d,"message":"%s"}}\
    """
        .formatted(code, message);
  }

  /** A task in the shape of a version. */
  static String task(A2aVersion version, String id, A2aTaskState state) {
    String kind =
        switch (version) {
          case V0_3 -> "\"kind\":\"task\",";
          case V1_0 -> "";
        };
    return """
    {%s"id":"%s","contextId":"c1","status":{"state":"%s"}}\
    """
        .formatted(kind, id, state.word(version).orElseThrow());
  }

  /** A status of the task t1 as a part of a stream, in the shape of a version. */
  public static String status(A2aVersion version, A2aTaskState state, boolean isFinal) {
    String word = state.word(version).orElseThrow();
    return switch (version) {
      case V0_3 ->
          """
          {"kind":"status-update","taskId":"t1","contextId":"c1","status":{"state":"%s"},\
          "final":%s}\
          """
              .formatted(word, isFinal);
      case V1_0 ->
          """
          {"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"%s"}}}\
          """
              .formatted(word);
    };
  }

  /** A part of a stream that has an artifact of a task, in the shape of a version. */
  public static String artifact(A2aVersion version, String taskId) {
    return switch (version) {
      case V0_3 ->
          """
          {"kind":"artifact-update","taskId":"%s","contextId":"c1","artifact":{}}\
          """
              .formatted(taskId);
      case V1_0 ->
          """
          {"artifactUpdate":{"taskId":"%s","contextId":"c1","artifact":{}}}\
          """
              .formatted(taskId);
    };
  }

  /** An agent that streams the results and closes the connection. */
  static Script streaming(String... results) {
    return events(Arrays.stream(results).map(AgentFixture::result).toArray(String[]::new));
  }

  /** An agent that streams the messages, in one piece, and closes the connection. */
  static Script events(String... messages) {
    return peer -> send(peer, peer.request(), messages);
  }

  static void send(Peer peer, Request request, String... messages) throws IOException {
    String head = "HTTP/1.1 200 OK\r\n%s\r\n".formatted(StubServer.EVENTS);
    peer.send(
        Arrays.stream(messages)
            .map(message -> "data: %s\n\n".formatted(message.replace("ID", request.id())))
            .collect(Collectors.joining("", head, "")));
  }

  @Override
  public void close() {
    clients.forEach(AgentClient::close);
  }
}
