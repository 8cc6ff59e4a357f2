package gatebook.api.node.agent;

import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.CallForwarded;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.Stream;

/** A stub of an agent behind a node, with a client of both versions. */
record AgentBehindNode(StubAgent agent, WatchedNode node, HttpClient http)
    implements AutoCloseable {
  static final String JOE = NodeCaller.JOE;
  static final String ANN = NodeCaller.ANN;
  static final String SOURCE = "timeout: 20s";
  static final String LIMITS = "agent_card_wait_millis_max: 60000";

  /** The rules of a node before the agent at this address. */
  static String rules(String url, String source, String limits) {
    return """
    schema: 1
    sources: [{id: planner, kind: a2a, url: "%s", %s}]
    governance:
      defaults: {action: forward}
      rules:
        - {match: "skills/secret", action: deny}
        - {match: "skills/route", action: approve, approval: ops}
    approval: {ops: {timeout: 10m}}
    limits: {%s}
    """
            .formatted(url, source, limits)
        + NodeCaller.people();
  }

  AgentBehindNode(StubAgent agent, WatchedNode node) {
    this(agent, node, HttpClient.newHttpClient());
  }

  /** Forgets the requests and calls so far: another test begins. */
  void forget() {
    agent.forget();
    node.forget();
  }

  String url() {
    return node.at(Port.CALLERS).url() + "/a2a/planner";
  }

  HttpResponse<InputStream> post(
      A2aWireVersion version, String method, String params, String token, String correlationId)
      throws IOException, InterruptedException {
    return http.send(
        request(version, method, params, token, correlationId), BodyHandlers.ofInputStream());
  }

  HttpRequest request(
      A2aWireVersion version, String method, String params, String token, String correlationId) {
    return HttpRequest.newBuilder(URI.create(url() + "/" + version.segment))
        .header("Content-Type", "application/json")
        .header("X-Correlation-Id", correlationId)
        .header("Authorization", "Bearer " + token)
        .POST(
            BodyPublishers.ofString(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":%s}"
                    .formatted(method, params)))
        .build();
  }

  Event last(String correlationId) {
    return node.events(correlationId).getLast();
  }

  Fault fault(String correlationId) {
    return ((ErrorTranslated) last(correlationId)).fault();
  }

  List<String> names(String correlationId) {
    return node.events(correlationId).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  /** The attempts at a call, each with the failure before it. */
  static List<String> attempts(WatchedNode node, String correlationId) {
    return node.events(correlationId).stream()
        .flatMap(event ->
            event instanceof CallForwarded it
                ? Stream.of(it.attempt() + " " + it.afterFailure())
                : Stream.empty())
        .toList();
  }

  @Override
  public void close() throws IOException {
    node.close();
    agent.close();
    http.shutdownNow();
  }
}
