package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A caller of a node, over each protocol.
 *
 * @param headers of each of its requests
 */
public record NodeCaller(WatchedNode node, List<String> headers) {
  public static final String JOE = "joe-token-0123456789abcdef";
  public static final String ANN = "ann-token-0123456789abcdef";

  /** The token of the operator alice. */
  public static final String ALICE = "operator-alice-0123456789";

  private static final String JSON = "Content-Type: application/json";

  /** The principals joe and ann and the operator alice, as rules have them. */
  public static String people() {
    return people("view, approve");
  }

  /** The same with other roles of alice. */
  public static String people(String roles) {
    return """
    principals:
      - {name: joe, token_hash: "%s"}
      - {name: ann, token_hash: "%s"}
    operators: [{name: alice, token_hash: "%s", roles: [%s]}]
    """
        .formatted(WatchedNode.hash(JOE), WatchedNode.hash(ANN), WatchedNode.hash(ALICE), roles);
  }

  /** The header that a token is sent in. */
  public static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  /** This caller with more headers. */
  public NodeCaller with(String... more) {
    return new NodeCaller(node, Stream.concat(headers.stream(), Stream.of(more)).toList());
  }

  public NodeReply mcp(String method, String params) throws IOException {
    return post("/mcp", method, params);
  }

  /** The JSON-RPC endpoint for callers of `jsonrpc`. */
  public NodeReply rpc(String method, String params) throws IOException {
    return post("/rpc", method, params);
  }

  public NodeReply flow(String method, String params) throws IOException {
    return post("/flow", method, params);
  }

  /**
   * Calls an agent.
   *
   * @param path below {@code /a2a}; empty for the built-in agent
   */
  public NodeReply a2a(String path, String method, String params) throws IOException {
    return post("/a2a" + path, method, params);
  }

  /** Calls a method for operators. */
  public NodeReply operator(String method, String params) throws IOException {
    return send(Port.ADMIN, "/operator", node.newCorrelationId(), request(method, params));
  }

  public NodeReply post(String path, String method, String params) throws IOException {
    return send(path, node.newCorrelationId(), request(method, params));
  }

  /** Sends a body as it is. */
  public NodeReply send(String path, String correlationId, String body) throws IOException {
    return send(Port.CALLERS, path, correlationId, body);
  }

  /** Sends a body as it is, and returns the response as it is. */
  public RawHttp.Answer raw(String path, String correlationId, String body) throws IOException {
    return raw(Port.CALLERS, path, correlationId, body);
  }

  /** The reply to a request whose response is still to come. */
  public CompletableFuture<NodeReply> later(String path, String correlationId, String body) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return send(path, correlationId, body);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** A request with the id 1. */
  public static String request(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }

  private NodeReply send(Port port, String path, String correlationId, String body)
      throws IOException {
    RawHttp.Answer answer = raw(port, path, correlationId, body);
    return new NodeReply(
        node, correlationId, answer.status(), answer.headers(), NodeReply.response(answer.body()));
  }

  private RawHttp.Answer raw(Port port, String path, String correlationId, String body)
      throws IOException {
    return node.send(
        port,
        path,
        body.getBytes(UTF_8),
        Stream.concat(Stream.of(JSON, "X-Correlation-Id: " + correlationId), headers.stream())
            .toArray(String[]::new));
  }
}
