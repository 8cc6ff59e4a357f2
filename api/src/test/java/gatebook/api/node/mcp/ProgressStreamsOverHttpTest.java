package gatebook.api.node.mcp;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams of progress, as the callers who execute trees of tasks see them. */
@Timeout(300)
final class ProgressStreamsOverHttpTest {
  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ROOT = "11111111-1111-4111-8111-111111111111";
  private static final String KID = "22222222-2222-4222-8222-222222222222";
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo, expose: {mode: blocklist, tools: [time]}}]
      governance:
        defaults: {action: forward}
        rules:
          - {match: "delete_*", action: deny}
          - {match: "deploy", action: approve, approval: ops}
      approval: {ops: {timeout: 10m}}
      principals: [{name: joe, token_hash: "%s"}]
      operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
      """
          .formatted(WatchedNode.hash(JOE), WatchedNode.hash(NodeCaller.ALICE));
  private static final Map<String, String> INPUTS = Map.of("deploy", "{\"version\":\"7\"}");
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node = WatchedNode.start(folder, RULES);
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    node.close();
  }

  @Test
  void aStreamTellsATreesProgressUntilItsEnd() throws Exception {
    HttpResponse<InputStream> response = execute("/flow", "echo", "");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().allValues("Content-Type"))
        .containsExactly("text/event-stream; charset=utf-8");
    assertThat(response.headers().allValues("X-Correlation-ID")).containsExactly("c1");
    assertThat(lines(response))
        .isEqualTo(
            expected(
                "{'jsonrpc':'2.0','id':1,'result':{'root_task_id':'ROOT','status':'started'}}"));
  }

  @Test
  void existingClientsGetTheSameEvents() throws Exception {
    HttpResponse<InputStream> response = execute("/flow/tasks", "echo", "");

    assertThat(response.headers().allValues("Content-Type"))
        .containsExactly("text/event-stream; charset=utf-8");
    assertThat(lines(response))
        .isEqualTo(
            expected(
                "{'jsonrpc':'2.0','id':1,'result':{'success':true,'protocol':'jsonrpc',"
                    + "'root_task_id':'ROOT','task_id':'ROOT','status':'started',"
                    + "'message':'Task execution started','streaming':true}}"));
  }

  @Test
  void aRequestThatWaitsGetsAStreamToo() throws Exception {
    List<String> lines = lines(execute("/flow", "echo", ",\"wait\":true"));

    assertThat(lines)
        .isEqualTo(
            expected(
                "{'jsonrpc':'2.0','id':1,'result':{'root_task_id':'ROOT','status':'started'}}"));
  }

  @Test
  void aRefusedRequestGetsNoStream() throws Exception {
    HttpResponse<InputStream> response = execute("/flow", "time", "");

    assertThat(response.headers().allValues("Content-Type")).containsExactly("application/json");
    assertThat(JSON.readTree(response.body()).at("/error/code").asInt()).isEqualTo(-32003);
  }

  @Test
  void theFinalEventNamesWhatADeniedTaskBlocks() throws Exception {
    List<String> lines = lines(execute("/flow", "delete_all", ""));

    String error = "Unauthorized: Tool 'delete_all' is denied by governance rules";
    assertThat(lines.subList(1, lines.size()))
        .containsExactly(
            "data: {\"type\":\"task_start\",\"task_id\":\"KID\",\"status\":\"in_progress\","
                + "\"timestamp\":\"TIME\"}",
            "data: {\"type\":\"task_failed\",\"task_id\":\"KID\",\"status\":\"failed\","
                + "\"timestamp\":\"TIME\",\"error\":\""
                + error
                + "\"}",
            "data: {\"type\":\"progress\",\"task_id\":\"ROOT\",\"status\":\"in_progress\","
                + "\"timestamp\":\"TIME\",\"progress\":0.5,"
                + "\"message\":\"Task 'kid': failed\"}",
            "data: {\"type\":\"final\",\"task_id\":\"ROOT\",\"status\":\"failed\","
                + "\"timestamp\":\"TIME\",\"final\":true,"
                + "\"error\":\"Not all tasks were completed\",\"blocked_tasks\":[\"ROOT\"]}",
            "data: {\"type\":\"stream_end\",\"task_id\":\"ROOT\"}");
  }

  @Test
  void aCancelledTaskIsTold() throws Exception {
    try (BufferedReader stream = reader(execute("/flow", "deploy", ""))) {
      readUntilHeld(stream);

      request("tasks.cancel", "{\"task_id\":\"%s\"}".formatted(KID));
      JsonNode cancelled = JSON.readTree(data(stream));
      assertThat(cancelled.at("/type").asText()).isEqualTo("task_cancelled");
      assertThat(cancelled.at("/task_id").asText()).isEqualTo(KID);
      assertThat(cancelled.at("/error").asText()).isEqualTo("Cancelled by user");
      assertThat(types(stream)).containsExactly("progress", "final", "stream_end");
    }
  }

  @Test
  void anApprovedTaskGoesOnInTheSameStream() throws Exception {
    try (BufferedReader stream = reader(execute("/flow", "deploy", ""))) {
      readUntilHeld(stream);

      approve();
      assertThat(types(stream))
          .containsExactly(
              "task_completed",
              "progress",
              "task_start",
              "task_completed",
              "progress",
              "final",
              "stream_end");
    }
  }

  @Test
  void aTreeCompletesWithoutItsReader() throws Exception {
    BufferedReader stream = reader(execute("/flow", "deploy", ""));
    readUntilHeld(stream);
    stream.close();
    http.shutdownNow();

    approve();
    await().until(() -> status().equals("completed"));
  }

  @Test
  void aLongStreamEndsAndItsTreeGoesOn() throws Exception {
    node.change("gatebook.yaml", RULES + "limits: {tree_stream_seconds_max: 1}\n");
    try (BufferedReader stream = reader(execute("/flow", "deploy", ""))) {
      readUntilHeld(stream);
      assertThat(types(stream)).containsExactly("timeout");
    }

    approve();
    await().until(() -> status().equals("completed"));
  }

  @Test
  void aStoppingNodeEndsStreamsWithoutAFinalEvent() throws Exception {
    try (BufferedReader stream = reader(execute("/flow", "deploy", ""))) {
      readUntilHeld(stream);
      node.close();

      assertThat(data(stream)).isEmpty();
    } finally {
      node = WatchedNode.start(folder, RULES);
    }
  }

  /** The lines of a stream about a root that requires one child, both completed. */
  private static List<String> expected(String response) {
    return List.of(
            response,
            "{'type':'task_start','task_id':'KID','status':'in_progress','timestamp':'TIME'}",
            "{'type':'task_completed','task_id':'KID','status':'completed','timestamp':'TIME',"
                + "'result':{'n':1}}",
            progress("0.5", "kid"),
            "{'type':'task_start','task_id':'ROOT','status':'in_progress','timestamp':'TIME'}",
            "{'type':'task_completed','task_id':'ROOT','status':'completed','timestamp':'TIME',"
                + "'result':{}}",
            progress("1.0", "root"),
            "{'type':'final','task_id':'ROOT','status':'completed','timestamp':'TIME',"
                + "'final':true,'result':{},'blocked_tasks':[]}",
            "{'type':'stream_end','task_id':'ROOT'}")
        .stream()
        .map(json -> "data: " + json.replace('\'', '"').replace('`', '\''))
        .toList();
  }

  private static String progress(String progress, String name) {
    return "{'type':'progress','task_id':'ROOT','status':'in_progress','timestamp':'TIME',"
        + "'progress':%s,'message':'Task `%s`: completed'}".formatted(progress, name);
  }

  /** Executes a root that requires one child, which is run by a tool. */
  private HttpResponse<InputStream> execute(String path, String tool, String members)
      throws IOException, InterruptedException {
    String params =
        """
        {"tasks":[{"id":"%1$s","name":"root","dependencies":[{"id":"%2$s"}]},\
        {"id":"%2$s","name":"kid","parent_id":"%1$s","schemas":{"method":"%3$s"},\
        "inputs":%4$s}],"use_streaming":true%5$s}\
        """
            .formatted(ROOT, KID, tool, INPUTS.getOrDefault(tool, "{\"n\":1}"), members);
    return http.send(
        HttpRequest.newBuilder(URI.create(node.at(Port.CALLERS).url() + path))
            .header("Content-Type", "application/json")
            .header("Accept", "text/event-stream")
            .header("Authorization", "Bearer " + JOE)
            .header("X-Correlation-ID", "c1")
            .POST(BodyPublishers.ofString(call("tasks.execute", params)))
            .build(),
        BodyHandlers.ofInputStream());
  }

  private static BufferedReader reader(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  /** The lines that are not empty, up to the end; times and ids are replaced by words. */
  private static List<String> lines(HttpResponse<InputStream> response) throws IOException {
    try (BufferedReader stream = reader(response)) {
      return stream
          .lines()
          .filter(line -> !line.isEmpty())
          .map(line ->
              line.replace(ROOT, "ROOT")
                  .replace(KID, "KID")
                  .replaceAll("\"20[0-9T:.-]+Z\"", "\"TIME\""))
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The types of the events up to the end of the stream. */
  private static List<String> types(BufferedReader stream) throws IOException {
    List<String> types = new ArrayList<>();
    String event = data(stream);
    while (!event.isEmpty()) {
      types.add(JSON.readTree(event).at("/type").asText());
      event = data(stream);
    }
    return types;
  }

  /** Reads the events up to that of a task that waits for an approval. */
  private static void readUntilHeld(BufferedReader stream) throws IOException {
    assertThat(JSON.readTree(data(stream)).at("/result/status").asText()).isEqualTo("started");
    assertThat(JSON.readTree(data(stream)).at("/type").asText()).isEqualTo("task_start");
    assertThat(JSON.readTree(data(stream)).at("/message").asText())
        .isEqualTo("The task waits for an approval");
  }

  private void approve() throws IOException {
    await().until(() -> !waiting().isEmpty());
    JsonNode _ =
        node.operator(
            NodeCaller.ALICE,
            "approvals.approve",
            "{\"callId\":%s}".formatted(waiting().at("/0/callId")));
  }

  private JsonNode waiting() throws IOException {
    return node.operator(NodeCaller.ALICE, "approvals.list", "{}").at("/result/approvals");
  }

  private String status() throws IOException {
    return request("tasks.get", "{\"task_id\":\"%s\"}".formatted(ROOT))
        .at("/result/status")
        .asText();
  }

  private JsonNode request(String method, String params) throws IOException {
    return JSON.readTree(
        node.send(
                Port.CALLERS,
                "/flow",
                call(method, params).getBytes(UTF_8),
                "Content-Type: application/json",
                "Authorization: Bearer " + JOE)
            .body());
  }

  private static String call(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }
}
