package gatebook.api.node.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.node.TestCallers;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of the built-in agent's tasks over HTTP. */
final class AgentTaskListsOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final AtomicInteger MESSAGES = new AtomicInteger();

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final TestCallers CALLERS = new TestCallers(50);

  private static final String RULES =
      """
      schema: 1
      sources:
        - {id: demo, kind: demo}
      governance:
        defaults: {action: forward}
        rules:
          - {match: "deploy", action: approve, approval: ops}
      approval:
        ops: {timeout: 10m}
      """
          + CALLERS.principals();

  private final String joe = CALLERS.next();
  private final String ann = CALLERS.next();
  private @Nullable WatchedNode started;

  @BeforeEach
  void start() throws IOException {
    started = NODES.shared(RULES);
  }

  @Test
  void callerListsItsOwnTasksInTheExactShape() throws IOException {
    assertThat(result("{}", joe))
        .isEqualTo(
            JSON.readTree("{\"tasks\":[],\"nextPageToken\":\"\",\"pageSize\":50,\"totalSize\":0}"));
    String first = send("echo", "c-1", joe);
    String second = send("deploy", "c-1", joe);
    send("echo", "c-1", ann);

    JsonNode page = result("{}", joe);

    assertThat(page)
        .isEqualTo(
            JSON.readTree(
                """
                {"tasks":[%s,%s],"nextPageToken":"","pageSize":50,"totalSize":2}
                """
                    .formatted(withoutArtifacts(second), withoutArtifacts(first))));
    assertThat(page.at("/tasks/0/status/state").asText()).isEqualTo("TASK_STATE_SUBMITTED");
    assertThat(page.at("/tasks/1/history/0/role").asText()).isEqualTo("ROLE_USER");
  }

  @Test
  void artifactsAndHistoryAreThereAsTheCallerWants() throws IOException {
    String task = send("echo", "c-1", joe);

    assertThat(result("{\"includeArtifacts\":true}", joe).at("/tasks/0")).isEqualTo(get(task));
    assertThat(
            result("{\"include_artifacts\":false,\"history_length\":0}", joe)
                .at("/tasks/0")
                .properties())
        .extracting(it -> it.getKey())
        .containsExactly("id", "contextId", "status");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'contextId':'c-1'} | done,held",
        "{'contextId':'c-2'} | cancelled",
        "{'contextId':'c-3'} |",
        "{'status':'TASK_STATE_SUBMITTED'} | held",
        "{'status':'TASK_STATE_COMPLETED'} | done",
        "{'status':'TASK_STATE_CANCELED'} | cancelled",
        "{'status':'TASK_STATE_WORKING'} |",
        "{'status':'TASK_STATE_INPUT_REQUIRED'} |",
        "{'status':'TASK_STATE_COMPLETED','contextId':'c-2'} |",
        "{'statusTimestampAfter':'2000-01-01T00:00:00Z'} | cancelled,done,held",
        "{'statusTimestampAfter':'2100-01-01T00:00:00Z'} |"
      })
  void filtersSelectTasks(String params, @Nullable String expected) throws IOException {
    String held = send("deploy", "c-1", joe);
    String cancelled = send("deploy", "c-2", joe);
    String done = send("echo", "c-1", joe);
    post("CancelTask", "{\"id\":\"%s\"}".formatted(cancelled), joe);

    JsonNode page = result(params.replace('\'', '"'), joe);

    List<String> names =
        ids(page).stream()
            .map(id -> id.equals(held) ? "held" : id.equals(done) ? "done" : "cancelled")
            .toList();
    assertThat(names).isEqualTo(expected == null ? List.of() : List.of(expected.split(",")));
    assertThat(page.path("totalSize").asInt()).isEqualTo(names.size());
  }

  @Test
  void pagesHaveEachTaskOnce() throws IOException {
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      sent.addFirst(send("echo", "c-1", joe));
    }

    List<String> listed = new ArrayList<>();
    String token = "";
    int pages = 0;
    do {
      JsonNode page = result("{\"pageSize\":2,\"pageToken\":\"%s\"}".formatted(token), joe);
      assertThat(page.path("pageSize").asInt()).isEqualTo(2);
      assertThat(page.path("totalSize").asInt()).isEqualTo(5);
      listed.addAll(ids(page));
      token = page.path("nextPageToken").asText();
      pages++;
    } while (!token.isEmpty());

    assertThat(listed).isEqualTo(sent);
    assertThat(pages).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'pageToken':'x'} | pageToken",
        "{'pageToken':'0123456789abcdef0123456789ABCDEF'} | pageToken",
        "{'pageSize':0} | pageSize",
        "{'pageSize':101} | pageSize",
        "{'status':'working'} | status",
        "{'historyLength':-1} | historyLength",
        "{'statusTimestampAfter':'noon'} | statusTimestampAfter"
      })
  void wrongParamsAreNamed(String params, String name) throws IOException {
    JsonNode error = post("ListTasks", params.replace('\'', '"'), joe).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(-32602);
    assertThat(error.path("data").toString()).contains("\"" + name + "\"");
  }

  @Test
  void contextWithCredentialIsRefused() throws IOException {
    JsonNode error =
        post("SendMessage", message("echo", "Bearer eyJhbGciOiJIUzI1NiJ9.abc.def"), joe)
            .path("error");

    assertThat(error.path("code").asInt()).isEqualTo(-32602);
    assertThat(error.path("data").toString())
        .contains("\"message.contextId\"")
        .doesNotContain("eyJhbGciOiJIUzI1NiJ9");
  }

  private static List<String> ids(JsonNode page) {
    return StreamSupport.stream(page.path("tasks").spliterator(), false)
        .map(task -> task.path("id").asText())
        .toList();
  }

  /** Sends a message whose task has ended, unless it waits for an approval. */
  private String send(String skill, String contextId, String token) throws IOException {
    JsonNode sent = post("SendMessage", message(skill, contextId), token);
    String id = sent.at("/result/task/id").asText();
    assertThat(id).as("%s", sent).isNotEmpty();
    return id;
  }

  private String message(String skill, String contextId) {
    return """
    {"message":{"role":"ROLE_USER","messageId":"m-%d","contextId":"%s",\
    "metadata":{"skillId":"%s"},"parts":[{"data":{"version":"1"}}]},\
    "configuration":{"returnImmediately":%b}}\
    """
        .formatted(MESSAGES.incrementAndGet(), contextId, skill, skill.equals("deploy"));
  }

  private JsonNode get(String id) throws IOException {
    return post("GetTask", "{\"id\":\"%s\"}".formatted(id), joe).path("result");
  }

  private JsonNode withoutArtifacts(String id) throws IOException {
    return ((ObjectNode) get(id)).without("artifacts");
  }

  private JsonNode result(String params, String token) throws IOException {
    return node().as(token).a2a("/v1", "ListTasks", params).result();
  }

  private JsonNode post(String method, String params, String token) throws IOException {
    return node().as(token).a2a("/v1", method, params).response();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
