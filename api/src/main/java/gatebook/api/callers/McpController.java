package gatebook.api.callers;

import gatebook.api.http.OnPort;
import gatebook.api.http.Port;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import java.util.concurrent.CompletableFuture;

/** Controller of the MCP path: receives messages, opens streams, and ends sessions. */
@OnPort(Port.CALLERS)
@Controller
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
final class McpController {

  static final String MCP = "/mcp";
  static final String MCP_V1 = "/mcp/v1";

  private final McpHandler handler;

  McpController(McpHandler handler) {
    this.handler = handler;
  }

  @Post(uris = {MCP, MCP_V1})
  CompletableFuture<HttpResponse<?>> message(HttpRequest<?> request) {
    return handler.serve(request);
  }

  @Get(uris = {MCP, MCP_V1})
  HttpResponse<?> listen(HttpRequest<?> request) {
    return handler.listen(request);
  }

  @Delete(uris = {MCP, MCP_V1})
  HttpResponse<?> end(HttpRequest<?> request) {
    return handler.end(request);
  }
}
