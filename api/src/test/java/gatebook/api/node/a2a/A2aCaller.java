package gatebook.api.node.a2a;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.RawHttp;
import gatebook.api.node.WatchedNode;
import gatebook.events.ErrorTranslated;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A caller over A2A: sends requests to a node, and finds what the journal has of them. */
public final class A2aCaller {
  public static final String JOE = "joe-token-0123456789abcdef";
  public static final String ANN = "ann-token-0123456789abcdef";

  private final WatchedNode node;
  private final AtomicInteger requests = new AtomicInteger();

  public A2aCaller(WatchedNode node) {
    this.node = node;
  }

  /** The principals joe and ann and the operator alice, as rules have them. */
  static String people() {
    return """
    principals:
      - {name: joe, token_hash: "%s"}
      - {name: ann, token_hash: "%s"}
    operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
    """
        .formatted(
            WatchedNode.hash(JOE), WatchedNode.hash(ANN), WatchedNode.hash(WatchedNode.ALICE));
  }

  /** A correlation id that no other request of this caller has. */
  String correlationId() {
    return "a2a-" + requests.incrementAndGet();
  }

  public A2aReply post(String path, String method, String params, String token) throws IOException {
    return post(path, method, params, token, correlationId());
  }

  public A2aReply post(
      String path, String method, String params, String token, String correlationId)
      throws IOException {
    RawHttp.Answer answer = raw(path, method, params, token, correlationId);
    return new A2aReply(correlationId, answer.status(), A2aReply.response(answer.body()));
  }

  RawHttp.Answer raw(String path, String method, String params, String token, String correlationId)
      throws IOException {
    return node.post(
        path,
        correlationId,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
            .formatted(method, params)
            .getBytes(UTF_8),
        "Authorization: Bearer " + token);
  }

  /** The reply to a request whose response is still to come. */
  CompletableFuture<A2aReply> later(
      String path, String method, String params, String token, String correlationId) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return post(path, method, params, token, correlationId);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** The fault that ended a call. */
  public Fault fault(A2aReply reply) {
    return ((ErrorTranslated) node.events(reply.correlationId()).getLast()).fault();
  }

  /** The names of a call's events. */
  public List<String> names(A2aReply reply) {
    return node.events(reply.correlationId()).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }
}
