package gatebook.api.mcp;

import gatebook.api.border.Border;
import gatebook.api.border.Caller;
import gatebook.api.border.Incoming;
import gatebook.api.border.Reply;
import gatebook.api.http.At;
import gatebook.api.http.Body;
import gatebook.api.http.Door;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import java.util.concurrent.CompletableFuture;

/** Where callers that speak MCP over HTTP knock. */
@At(Door.CALLERS)
@Controller
final class McpController {

  private static final String CORRELATION = "X-Correlation-Id";

  private final Border border;
  private final MessageReader reader = new MessageReader(MessageReader.DEPTH_MAX);

  McpController(Border border) {
    this.border = border;
  }

  @Post(uris = {"/mcp", "/mcp/v1"})
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    return Body.of(request)
        .thenCompose(body -> border.serve(Dialect.MCP, incoming(request, body)))
        .thenApply(McpController::response);
  }

  private Incoming incoming(HttpRequest<?> request, Body body) {
    HttpHeaders headers = request.getHeaders();
    return new Incoming(
        body.fault() == null
            ? reader.read(body.bytes())
            : new Message.Unreadable(body.fault(), null),
        body.sizeBytes(),
        Transport.HTTP,
        new Caller(
            headers.getAll(HttpHeaders.AUTHORIZATION),
            request.getRemoteAddress().getAddress().isLoopbackAddress()),
        headers.get(CORRELATION),
        headers.get("traceparent"),
        headers.get("MCP-Protocol-Version"));
  }

  private static HttpResponse<?> response(Reply reply) {
    MutableHttpResponse<byte[]> response =
        HttpResponse.<byte[]>status(HttpStatus.valueOf(reply.httpStatus()))
            .header(CORRELATION, reply.correlationId());
    return reply.body() == null
        ? response
        : response.contentType(MediaType.APPLICATION_JSON_TYPE).body(reply.body());
  }
}
