package gatebook.api.load.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;

/**
 * The controller of the peer: the least that a server and a tool can do, which is to read and write
 * JSON. Clients of MCP get the description that they ask for first.
 */
@Controller
@Requires(property = PeerController.SWITCH)
final class PeerController {
  /** The property that enables this controller; only the peer sets it. */
  static final String SWITCH = "bench.peer";

  private static final JsonNode RESULT = result("12 in stock");
  private static final JsonNode LONG_RESULT = result("12 in stock; ".repeat(790));

  private final CallCounter counter;

  PeerController(CallCounter counter) {
    this.counter = counter;
  }

  @Post("/echo")
  JsonNode echo(@Body JsonNode body) {
    return body;
  }

  @Post("/mcp")
  HttpResponse<JsonNode> call(@Body JsonNode call) {
    if (!call.has("id")) {
      return HttpResponse.accepted(); // a notification
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.put("jsonrpc", "2.0");
    answer.set("id", call.get("id"));
    answer.set("result", result(call));
    return HttpResponse.ok(answer);
  }

  private JsonNode result(JsonNode call) {
    if (call.path("method").asText().equals("initialize")) {
      return description(call.at("/params/protocolVersion").asText());
    }
    counter.count();
    return isLong(call) ? LONG_RESULT : RESULT;
  }

  private static JsonNode description(String protocolVersion) {
    ObjectNode description = JsonNodeFactory.instance.objectNode();
    description.put("protocolVersion", protocolVersion);
    description.putObject("capabilities").putObject("tools");
    description.putObject("serverInfo").put("name", "bench").put("version", "1");
    return description;
  }

  /** Reports have 10 KB. */
  private static boolean isLong(JsonNode call) {
    return call.path("params").path("name").asText().startsWith("get_report");
  }

  private static JsonNode result(String text) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.putArray("content").addObject().put("type", "text").put("text", text);
    result.put("isError", false);
    return result;
  }
}
