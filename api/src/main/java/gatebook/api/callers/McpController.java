package gatebook.api.callers;

import gatebook.api.http.At;
import gatebook.api.http.Door;
import gatebook.events.call.Dialect;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import java.util.concurrent.CompletableFuture;

/** Where callers that speak MCP over HTTP knock. */
@At(Door.CALLERS)
@Controller
final class McpController {

  private final CallersDoor door;

  McpController(CallersDoor door) {
    this.door = door;
  }

  @Post(uris = {"/mcp", "/mcp/v1"})
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> serve(HttpRequest<?> request) {
    return door.serve(Dialect.MCP, request, Declared.version(Dialect.MCP, request));
  }
}
