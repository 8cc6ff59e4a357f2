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

/** Where clients of MCP knock: with messages, for what is said besides, and to say goodbye. */
@OnPort(Port.CALLERS)
@Controller
@Consumes(MediaType.ALL)
@Produces(MediaType.ALL)
final class McpController {

  static final String MCP = "/mcp";
  static final String MCP_V1 = "/mcp/v1";

  private final McpHandler door;

  McpController(McpHandler door) {
    this.door = door;
  }

  @Post(uris = {MCP, MCP_V1})
  CompletableFuture<HttpResponse<?>> message(HttpRequest<?> request) {
    return door.serve(request);
  }

  @Get(uris = {MCP, MCP_V1})
  HttpResponse<?> listen(HttpRequest<?> request) {
    return door.listen(request);
  }

  @Delete(uris = {MCP, MCP_V1})
  HttpResponse<?> end(HttpRequest<?> request) {
    return door.end(request);
  }
}
