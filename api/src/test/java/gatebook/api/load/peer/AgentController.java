package gatebook.api.load.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import java.util.concurrent.atomic.AtomicLong;

/** The controller of an agent of A2A 1.0: each message makes a task, of which nothing is kept. */
@Controller
@Requires(property = PeerController.SWITCH)
final class AgentController {
  private final AtomicLong tasks = new AtomicLong();
  private final CallCounter counter;

  AgentController(CallCounter counter) {
    this.counter = counter;
  }

  @Get("/.well-known/agent-card.json")
  JsonNode card(HttpRequest<?> request) {
    ObjectNode card = JsonNodeFactory.instance.objectNode();
    card.put("name", "bench").put("description", "Makes tasks").put("version", "1");
    card.putArray("supportedInterfaces")
        .addObject()
        .put("url", "http://%s/agent".formatted(request.getServerName() + port(request)))
        .put("protocolBinding", "JSONRPC")
        .put("protocolVersion", "1.0");
    card.putObject("capabilities");
    card.putArray("defaultInputModes").add("text/plain");
    card.putArray("defaultOutputModes").add("text/plain");
    card.putArray("skills")
        .addObject()
        .put("id", "work")
        .put("name", "Work")
        .put("description", "Works")
        .putArray("tags");
    return card;
  }

  private static String port(HttpRequest<?> request) {
    return ":" + request.getServerAddress().getPort();
  }

  @Post("/agent")
  JsonNode answer(@Body JsonNode call) {
    counter.count();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.put("jsonrpc", "2.0");
    answer.set("id", call.get("id"));
    if (call.path("method").asText().equals("SendMessage")) {
      answer.putObject("result").set("task", task("task-" + tasks.incrementAndGet()));
    } else {
      answer.set("result", task(call.at("/params/id").asText()));
    }
    return answer;
  }

  private static ObjectNode task(String id) {
    ObjectNode task = JsonNodeFactory.instance.objectNode();
    task.put("id", id).put("contextId", "of-" + id);
    task.putObject("status").put("state", "TASK_STATE_WORKING");
    return task;
  }
}
