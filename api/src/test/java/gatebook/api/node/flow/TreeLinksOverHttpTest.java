package gatebook.api.node.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies, links and archives of tasks, as their callers see them over HTTP. */
@Timeout(300)
final class TreeLinksOverHttpTest {
  private static final String COMPLETED = "completed";
  private static final JsonMapper JSON = new JsonMapper();

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo, expose: {mode: allowlist, tools: [echo, time]}}]
      governance: {defaults: {action: forward}}
      """
          + NodeCaller.people();

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private final String root = UUID.randomUUID().toString();
  private final String one = UUID.randomUUID().toString();
  private final String two = UUID.randomUUID().toString();
  private WatchedNode node;

  /** The tasks of the tests before. */
  private int before;

  @BeforeEach
  void start() throws IOException {
    node = NODES.shared(RULES);
    before = listed();
  }

  @Test
  void onlyCompletedTasksAreLinked() throws IOException {
    create();

    JsonNode refused = copy(root, "link", "");

    assertThat(code(refused)).isEqualTo(-32005);
    assertThat(refused.at("/error/data/field").asText()).isEqualTo("origin_type");
    assertThat(code(copy(root, "archive", ""))).isEqualTo(-32005);
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void aLinkShowsTheResultOfItsOriginal() throws IOException {
    run();

    String link = made(copy(root, "link", ""));

    JsonNode tree = tree(link);
    assertThat(tree.at("/task/result/result_count").asInt()).isEqualTo(2);
    assertThat(tree.at("/children/0/task/result")).isEqualTo(JSON.readTree("{\"n\":1}"));
    JsonNode read = get(link);
    assertThat(read).isEqualTo(tree.path("task"));
    assertThat(read.path("status").asText()).isEqualTo("completed");
    assertThat(read.path("origin_type").asText()).isEqualTo("link");
    assertThat(read.path("original_task_id").asText()).isEqualTo(root);
    assertThat(read.path("schemas").isNull()).isTrue();
    assertThat(code(execute(link))).isEqualTo(-32006);
    assertThat(code(request("tasks.update", update(link)))).isEqualTo(-32006);
    String again = made(copy(link, "link", ""));
    assertThat(get(again).path("original_task_id").asText()).isEqualTo(root);
    assertThat(get(again).path("result")).isEqualTo(read.path("result"));
  }

  @Test
  void manyLinksShowTheirResults() throws IOException {
    StringBuilder tasks = new StringBuilder("{\"id\":\"%s\",\"name\":\"root\"}".formatted(root));
    for (int number = 0; number < 20; number++) {
      tasks.append(',').append(task(UUID.randomUUID().toString(), number));
    }
    request("tasks.execute", "{\"tasks\":[%s]}".formatted(tasks));
    await().until(() -> tree(root).findValuesAsText("status").stream().allMatch(COMPLETED::equals));

    JsonNode children = tree(made(copy(root, "link", ""))).path("children");

    assertThat(children).hasSize(20);
    for (int number = 0; number < 20; number++) {
      assertThat(children.path(number).at("/task/result/n").asInt(-1)).isEqualTo(number);
    }
  }

  @Test
  void aCopyIsWhatItsMembersAreResetTo() throws IOException {
    create();
    String reset =
        """
        {"name":"again","priority":0,"schemas":{"method":"time"},"inputs":{"zone":"UTC"}}\
        """;

    String copy = made(copy(one, "copy", ",\"reset_fields\":" + reset));

    JsonNode read = get(copy);
    assertThat(read.path("name").asText()).isEqualTo("again");
    assertThat(read.path("priority").asInt()).isZero();
    JsonNode seen =
        node.alice()
            .operator("audit.lookup", "{\"id\":\"%s\"}".formatted(copy))
            .result()
            .at("/trees/0/tasks/0");
    assertThat(seen.path("name").asText()).isEqualTo("again");
    assertThat(seen.path("executor").asText()).isEqualTo("time");
    assertThat(seen.path("priority").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"priority\":9} | priority",
        "{\"name\":7} | name",
        "{\"inputs\":[]} | inputs",
        "{\"schemas\":{}} | schemas.method",
        "{\"status\":\"completed\"} | status",
        "{\"params\":{\"retry\":{\"max_attempts\":99}}} | params.retry.max_attempts"
      })
  void membersAreNotResetToAnything(String reset, String field) throws IOException {
    create();

    JsonNode refused = copy(one, "copy", ",\"reset_fields\":" + reset);

    assertThat(code(refused)).isEqualTo(-32005);
    assertThat(refused.at("/error/data/field").asText()).isEqualTo(field);
    assertThat(refused.at("/error/data/task_id").asText()).isEqualTo(one);
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void aCopyWithAnUnknownExecutorIsRefused() throws IOException {
    create();

    String reset = ",\"reset_fields\":{\"schemas\":{\"method\":\"none_such\"}}";

    assertThat(code(copy(one, "copy", reset))).isEqualTo(-32003);
    assertThat(code(copy(one, "copy", reset + ",\"save\":false"))).isEqualTo(-32003);
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void sourcesKnowThatOthersWereMadeFromThem() throws IOException {
    run();
    assertThat(get(two).path("has_references").asBoolean()).isFalse();

    made(copy(two, "copy", ""));

    assertThat(get(two).path("has_references").asBoolean()).isTrue();
    assertThat(get(one).path("has_references").asBoolean()).isFalse();
  }

  @Test
  void anArchiveNeverChanges() throws IOException {
    run();

    assertThat(made(copy(root, "archive", ""))).isEqualTo(root);

    JsonNode archive = get(one);
    assertThat(archive.path("origin_type").asText()).isEqualTo("archive");
    assertThat(archive.path("result")).isEqualTo(JSON.readTree("{\"n\":1}"));
    assertThat(code(request("tasks.update", update(one)))).isEqualTo(-32006);
    assertThat(code(execute(root))).isEqualTo(-32006);
    assertThat(code(request("tasks.cancel", id(one)))).isEqualTo(-32006);
    assertThat(code(request("tasks.delete", id(one)))).isEqualTo(-32006);
    assertThat(get(one)).isEqualTo(archive);
  }

  @Test
  void aMixedTreeRunsWithTheResultsOfItsLinks() throws IOException {
    run();

    String mixed = made(copy(root, "mixed", ",\"link_task_ids\":[\"%s\"]".formatted(one)));
    assertThat(get(mixed).path("status").asText()).isEqualTo("pending");
    assertThat(execute(mixed).at("/result/status").asText()).isEqualTo("started");
    await().until(() -> get(mixed).path("status").asText().equals("completed"));

    JsonNode tree = tree(mixed);
    assertThat(tree.at("/task/result/result_count").asInt()).isEqualTo(2);
    assertThat(tree.at("/children/0/task/origin_type").asText()).isEqualTo("link");
    assertThat(tree.at("/children/1/task/origin_type").asText()).isEqualTo("copy");
    String link = tree.at("/children/0/task/id").asText();
    assertThat(tree.at("/task/result/results/" + link)).isEqualTo(JSON.readTree("{\"n\":1}"));
  }

  @Test
  void linkedTasksMustBeAmongTheCopiedOnes() throws IOException {
    run();

    JsonNode refused = copy(one, "mixed", ",\"link_task_ids\":[\"%s\"]".formatted(two));

    assertThat(code(refused)).isEqualTo(-32602);
    assertThat(refused.at("/error/data/field").asText()).isEqualTo("link_task_ids");
  }

  @Test
  void nothingIsLinkedWithoutWhatItDependsOn() throws IOException {
    run();

    assertThat(code(copy(root, "link", ",\"recursive\":false"))).isEqualTo(-32011);
  }

  @Test
  void whatIsNotSavedIsShownOnly() throws IOException {
    run();

    for (String origin : new String[] {"copy", "link", "archive"}) {
      JsonNode shown = clientCopy(origin, false).path("result");
      assertThat(total()).isEqualTo(3);
      assertThat(get(root).path("has_references").asBoolean()).isFalse();
      assertThat(get(root).path("origin_type").asText()).isEqualTo("create");
      assertThat(shown).hasSize(3);
      assertThat(shown.at("/0/origin_type").asText()).isEqualTo(origin);
      assertThat(shown.at("/0/has_children").asBoolean()).isTrue();
      assertThat(shown.at("/1/result").isNull()).isEqualTo(origin.equals("copy"));
    }
    assertThat(clientCopy("link", true).at("/result/0/task_tree_id").asText()).isNotEmpty();
    assertThat(total()).isEqualTo(6);
  }

  @Test
  void tasksOfOthersAreNotLinked() throws IOException {
    run();

    JsonNode foreign =
        node.ann()
            .flow("tasks.clone", "{\"task_id\":\"%s\",\"origin_type\":\"link\"}".formatted(root))
            .response();

    assertThat(code(foreign)).isEqualTo(-32001);
  }

  @Test
  void operatorsSeeLinksAndArchives() throws IOException {
    run();
    String link = made(copy(root, "link", ""));
    made(copy(link, "archive", ",\"recursive\":false"));

    JsonNode tasks =
        node.alice()
            .operator("audit.lookup", "{\"id\":\"%s\"}".formatted(link))
            .result()
            .at("/trees/0/tasks");

    assertThat(tasks.at("/0/origin").asText()).isEqualTo("link to %s, archived".formatted(root));
    assertThat(tasks.at("/1/origin").asText()).isEqualTo("link to " + one);
    assertThat(tasks.at("/1/status").asText()).isEqualTo("completed");
  }

  /** A root that requires two children, each run by a tool. */
  private void create() throws IOException {
    JsonNode created =
        request(
            "tasks.create",
            """
            [{"id":"%s","name":"root","schemas":{"method":"aggregate_results_executor"},\
            "dependencies":[{"id":"%s"},{"id":"%s"}]},%s,%s]\
            """
                .formatted(root, one, two, task(one, 1), task(two, 2)));
    assertThat(created.at("/result/id").asText()).as(created.toString()).isEqualTo(root);
  }

  private String task(String id, int number) {
    return """
    {"id":"%s","name":"echo %d","parent_id":"%s","schemas":{"method":"echo"},"inputs":{"n":%d}}\
    """
        .formatted(id, number, root, number);
  }

  /** The tree, completed. */
  private void run() throws IOException {
    create();
    execute(root);
    await().until(() -> get(root).path("status").asText().equals("completed"));
  }

  private JsonNode copy(String id, String origin, String more) throws IOException {
    return request(
        "tasks.clone", "{\"task_id\":\"%s\",\"origin_type\":\"%s\"%s}".formatted(id, origin, more));
  }

  /** The same for the root, in the shapes of existing clients. */
  private JsonNode clientCopy(String origin, boolean isSaved) throws IOException {
    return node.joe()
        .post(
            "/flow/tasks",
            "tasks.clone",
            "{\"task_id\":\"%s\",\"origin_type\":\"%s\",\"save\":%b}"
                .formatted(root, origin, isSaved))
        .response();
  }

  private static String made(JsonNode copied) {
    assertThat(copied.has("error")).as(copied.toString()).isFalse();
    return copied.at("/result/copied_task_id").asText();
  }

  private static String id(String id) {
    return "{\"task_id\":\"%s\"}".formatted(id);
  }

  private static String update(String id) {
    return "{\"task_id\":\"%s\",\"updates\":{\"priority\":0}}".formatted(id);
  }

  private JsonNode execute(String id) throws IOException {
    return request("tasks.execute", id(id));
  }

  private JsonNode get(String id) throws IOException {
    return request("tasks.get", id(id)).path("result");
  }

  private JsonNode tree(String id) throws IOException {
    return request("tasks.tree", id(id)).path("result");
  }

  private int total() throws IOException {
    return listed() - before;
  }

  private int listed() throws IOException {
    return request("tasks.list", "{}").at("/result/total").asInt();
  }

  private static int code(JsonNode response) {
    return response.at("/error/code").asInt();
  }

  private JsonNode request(String method, String params) throws IOException {
    return node.joe().flow(method, params).response();
  }
}
