package gatebook.api.upstream.agent.client;

import static gatebook.api.dialect.A2aVersion.V0_3;
import static gatebook.api.dialect.A2aVersion.V1_0;
import static gatebook.api.upstream.agent.client.AgentFixture.BY_ID;
import static gatebook.api.upstream.agent.client.AgentFixture.MESSAGE;
import static gatebook.api.upstream.agent.client.AgentFixture.answering;
import static gatebook.api.upstream.agent.client.AgentFixture.endpoint;
import static gatebook.api.upstream.agent.client.AgentFixture.error;
import static gatebook.api.upstream.agent.client.AgentFixture.result;
import static gatebook.api.upstream.agent.client.AgentFixture.task;
import static gatebook.api.upstream.source.StubServer.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InternalError;
import gatebook.api.upstream.agent.client.AgentFailure.ServerError;
import gatebook.api.upstream.agent.client.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.client.AgentItem.Kind;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Request;
import gatebook.api.upstream.source.StubServer.Script;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentClientTest {

  private final AgentFixture agentFixture = new AgentFixture();

  @AfterEach
  void close() {
    agentFixture.close();
  }

  static Stream<Arguments> states() {
    return Stream.of(A2aVersion.values())
        .flatMap(version ->
            Stream.of(A2aTaskState.values())
                .filter(state -> state.word(version).isPresent())
                .map(state -> Arguments.of(version, state)));
  }

  @ParameterizedTest
  @MethodSource("states")
  void aTaskIsReadInEveryState(A2aVersion version, A2aTaskState state) throws IOException {
    String task = task(version, "t1", state);
    AgentOutcome<AgentItem> read =
        AgentOutcome.success(new AgentItem(Kind.TASK, "t1", "c1", state, task, task));

    assertThat(taskFrom(version, answering(200, JSON, result(task)))).isEqualTo(read);
    try (StubServer agent = new StubServer(answering(200, JSON, result(task)))) {
      assertThat(
              agentFixture
                  .client(agent.url("/"))
                  .cancelTask(endpoint(agent, version), BY_ID, AgentCallOptions.NONE)
                  .join())
          .isEqualTo(read);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "V0_3, completed, true, false",
    "V0_3, input-required, false, true",
    "V1_0, TASK_STATE_REJECTED, true, false",
    "V1_0, TASK_STATE_AUTH_REQUIRED, false, true",
    "V1_0, TASK_STATE_WORKING, false, false"
  })
  void statesHaveTheWordsOfTheVersion(
      A2aVersion version, String word, boolean terminal, boolean interrupted) {
    A2aTaskState state = A2aTaskState.of(version, word).orElseThrow();

    assertThat(state.isTerminal()).isEqualTo(terminal);
    assertThat(state.isInterrupted()).isEqualTo(interrupted);
  }

  @Test
  void messagesAreAnsweredWithTasksOrMessages() throws IOException {
    String oldTask = task(V0_3, "t1", A2aTaskState.WORKING);
    String newTask = task(V1_0, "t1", A2aTaskState.WORKING);
    String oldMessage = "{\"kind\":\"message\",\"messageId\":\"m\",\"contextId\":\"c\"}";
    String newMessage = "{\"messageId\":\"m\",\"taskId\":\"t\"}";

    assertThat(sent(V0_3, oldTask))
        .isEqualTo(new AgentItem(Kind.TASK, "t1", "c1", A2aTaskState.WORKING, oldTask, oldTask));
    assertThat(sent(V1_0, "{ \"task\": %s }".formatted(newTask)))
        .isEqualTo(
            new AgentItem(
                Kind.TASK,
                "t1",
                "c1",
                A2aTaskState.WORKING,
                newTask,
                "{ \"task\": %s }".formatted(newTask)));
    assertThat(sent(V0_3, oldMessage))
        .isEqualTo(new AgentItem(Kind.MESSAGE, null, "c", null, oldMessage, oldMessage));
    assertThat(sent(V1_0, "{\"message\":%s}".formatted(newMessage)))
        .isEqualTo(
            new AgentItem(
                Kind.MESSAGE,
                "t",
                null,
                null,
                newMessage,
                "{\"message\":%s}".formatted(newMessage)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "V0_3 | BLOCKING | message/send | 0.3 | {\"blocking\":true}",
        "V0_3 | NON_BLOCKING | message/send | 0.3 | {\"blocking\":false}",
        "V1_0 | BLOCKING | SendMessage | 1.0 | {\"returnImmediately\":false}",
        "V1_0 | NON_BLOCKING | SendMessage | 1.0 | {\"returnImmediately\":true}"
      })
  void aMessageIsSentInTheShapeOfTheVersion(
      A2aVersion version, SendMode sendMode, String method, String header, String configuration)
      throws Exception {
    try (StubServer agent = new StubServer(answering(200, JSON, result("{}")))) {
      AgentOutcome<AgentItem> _ =
          agentFixture
              .client(agent.url("/"))
              .sendMessage(
                  endpoint(agent, version),
                  MESSAGE,
                  sendMode,
                  new AgentCallOptions(
                      Map.of("traceparent", "00-x", "Authorization", "theirs", "a2a-version", "9"),
                      AttemptListener.NONE))
              .join();

      Request request = agent.requests.take();
      assertThat(request.body())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"method":"%s","params":%s,"configuration":%s}}\
              """
                  .formatted(method, MESSAGE.substring(0, MESSAGE.length() - 1), configuration));
      assertThat(request.head().lines().filter(line -> !line.isEmpty()))
          .containsExactlyInAnyOrder(
              "POST /a2a HTTP/1.1",
              "traceparent: 00-x",
              "Authorization: Bearer ours",
              "A2A-Version: " + header,
              "accept: application/json",
              "content-type: application/json",
              "content-length: " + request.body().length(),
              "host: 127.0.0.1:" + agent.url("").getPort(),
              "accept-encoding: identity");
    }
  }

  @Test
  void otherMethodsHaveTheNamesOfTheVersion() throws Exception {
    try (StubServer agent = StubServer.each(answering(200, JSON, result("{}")))) {
      AgentClient client = agentFixture.client(agent.url("/"));
      for (A2aVersion version : A2aVersion.values()) {
        AgentEndpoint at = endpoint(agent, version);
        client.getTask(at, BY_ID, AgentCallOptions.NONE).join();
        client.cancelTask(at, BY_ID, AgentCallOptions.NONE).join();
        client.listTasks(at, "{}", AgentCallOptions.NONE).join();
        client
            .sendStreamingMessage(at, MESSAGE, AgentFixture.IGNORING, AgentCallOptions.NONE)
            .join();
        client.subscribeToTask(at, BY_ID, AgentFixture.IGNORING, AgentCallOptions.NONE).join();
      }

      assertThat(agent.requests.stream().map(AgentClientTest::method))
          .containsExactly(
              "tasks/get",
              "tasks/cancel",
              "message/stream",
              "tasks/resubscribe",
              "GetTask",
              "CancelTask",
              "ListTasks",
              "SendStreamingMessage",
              "SubscribeToTask");
    }
  }

  @Test
  void aTenantIsNamedInTheParams() throws Exception {
    try (StubServer agent = new StubServer(answering(200, JSON, result("{}")))) {
      AgentOutcome<AgentItem> _ =
          agentFixture
              .client(agent.url("/"))
              .getTask(
                  new AgentEndpoint(agent.url("/a2a"), V1_0, "blue"),
                  "{\"id\":\"t1\",\"tenant\":\"red\"}",
                  AgentCallOptions.NONE)
              .join();

      assertThat(agent.requests.take().body()).endsWith("{\"id\":\"t1\",\"tenant\":\"blue\"}}");
    }
  }

  @Test
  void aPageOfTasksIsRead() throws IOException {
    String task = task(V1_0, "t1", A2aTaskState.COMPLETED);
    String page = "{\"tasks\":[%s], \"nextPageToken\":\"n\",\"totalSize\":2}".formatted(task);

    assertThat(listed(V1_0, page))
        .isEqualTo(
            AgentOutcome.success(
                new TaskPage(
                    List.of(
                        new AgentItem(Kind.TASK, "t1", "c1", A2aTaskState.COMPLETED, task, task)),
                    "n",
                    page)));
    assertThat(listed(V1_0, "{\"tasks\":[]}"))
        .isEqualTo(AgentOutcome.success(new TaskPage(List.of(), "", "{\"tasks\":[]}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | the result has no list of tasks",
        "7 | the result has no list of tasks",
        "{\"tasks\":{}} | the result has no list of tasks",
        "{\"tasks\":[7]} | a task or an update has no task id",
        "{\"tasks\":[{\"id\":\"t\"}]} | a task or an update has no state that the version knows"
      })
  void aPageOfOtherThingsIsInvalid(String page, String defect) throws IOException {
    assertThat(listed(V1_0, page)).isEqualTo(AgentOutcome.invalid(defect));
  }

  @Test
  void version03HasNoListOfTasks() throws IOException {
    try (StubServer agent = new StubServer(answering(200, JSON, result("{}")))) {
      assertThat(
              agentFixture
                  .client(agent.url("/"))
                  .listTasks(endpoint(agent, V0_3), "{}", agentFixture.noting())
                  .join())
          .isEqualTo(AgentOutcome.failed(new InternalError("the version has no such method")));
      assertThat(agent.accepted()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "[]", "{", "\"{\"", "x"})
  void paramsThatAreNoObjectAreNotSent(String params) throws IOException {
    try (StubServer agent = new StubServer(answering(200, JSON, result("{}")))) {
      assertThat(
              agentFixture
                  .client(agent.url("/"))
                  .getTask(endpoint(agent, V1_0), params, AgentCallOptions.NONE)
                  .join())
          .isEqualTo(AgentOutcome.failed(new InternalError("the params are no object")));
      assertThat(agent.accepted()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "200, -32001, no, true",
    "404, -32001, no, true",
    "200, -32000, Task Not Found: secret, true",
    "404, -32000, no, true",
    "200, -32000, no, false",
    "200, -32602, not found, false",
    "404, -32601, not found, false"
  })
  void anUnknownTaskIsToldInSeveralWays(int status, int code, String message, boolean unknown)
      throws IOException {
    assertThat(taskFrom(V1_0, answering(status, JSON, error(code, message))))
        .isEqualTo(
            AgentOutcome.failed(unknown ? new TaskNotFound("t1") : new ServerError(code, message)));
  }

  @ParameterizedTest
  @EnumSource(A2aVersion.class)
  void aMissingPageIsAMissingTask(A2aVersion version) throws IOException {
    Script script = answering(404, "Content-Type: text/html\r\n", "<html>secret");

    assertThat(taskFrom(version, script)).isEqualTo(AgentOutcome.failed(new TaskNotFound("t1")));
    assertThat(sentTo(version, MESSAGE, script))
        .isEqualTo(AgentOutcome.failed(new HttpError(404, null)));
    assertThat(sentTo(version, "{\"message\":{\"taskId\":\"t2\"}}", script))
        .isEqualTo(AgentOutcome.failed(new TaskNotFound("t2")));
  }

  @Test
  void aMessageWithoutTaskMayHaveAnyError() throws IOException {
    assertThat(sentTo(V0_3, MESSAGE, answering(200, JSON, error(-32_000, "Skill not found"))))
        .isEqualTo(AgentOutcome.failed(new ServerError(-32_000, "Skill not found")));
    assertThat(sentTo(V0_3, MESSAGE, answering(200, JSON, error(-32_001, "gone"))))
        .isEqualTo(AgentOutcome.failed(new TaskNotFound(null)));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 401, 500})
  void anErrorSaysMoreThanItsStatus(int status) throws IOException {
    assertThat(taskFrom(V1_0, answering(status, JSON, error(-32_004, "no"))))
        .isEqualTo(AgentOutcome.failed(new ServerError(-32_004, "no")));
  }

  @Test
  void anErrorWithoutAnIdBelongsToTheRequest() throws IOException {
    String error = error(-32_009, "no").replace("ID", "null");

    assertThat(taskFrom(V1_0, answering(200, JSON, error)))
        .isEqualTo(AgentOutcome.failed(new ServerError(-32_009, "no")));
  }

  @ParameterizedTest
  @CsvSource({"4, text", "3, tex"})
  void theMessageOfAnErrorIsCut(int charsMax, String message) throws IOException {
    try (StubServer agent = new StubServer(answering(200, JSON, error(1, "text")))) {
      assertThat(
              agentFixture
                  .client(agent.url("/"), AgentFixture.limits("messageCharsMax", charsMax))
                  .getTask(endpoint(agent, V1_0), BY_ID, AgentCallOptions.NONE)
                  .join())
          .isEqualTo(AgentOutcome.failed(new ServerError(1, message)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "201, ", "202, ", "204, ", "301, ", "307, ", "400, ", "401, ", "403, ", "408, 1", "429, 9",
    "500, ", "501, "
  })
  void anotherStatusIsAnHttpError(int status, @Nullable Long retryAfter) throws IOException {
    String headers =
        "Content-Type: text/html\r\nLocation: /elsewhere\r\n"
            + (retryAfter == null ? "" : "Retry-After: %d\r\n".formatted(retryAfter));
    String body = status == 204 ? "" : "<html>secret</html>";

    assertThat(taskFrom(V1_0, answering(status, headers, body)))
        .isEqualTo(AgentOutcome.failed(new HttpError(status, retryAfter)));
    assertThat(agentFixture.attempts).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "V0_3 | {} | the result is of no kind that was asked for",
        "V0_3 | 7 | the result is of no kind that was asked for",
        "V0_3 | {\"kind\":\"secret\"} | the result is of no kind that was asked for",
        "V0_3 | {\"task\":{}} | the result is of no kind that was asked for",
        "V0_3 | {\"kind\":\"status-update\",\"taskId\":\"t\",\"status\":{\"state\":\"working\"}}"
            + " | the result is of no kind that was asked for",
        "V0_3 | {\"kind\":\"task\"} | a task or an update has no task id",
        "V0_3 | {\"kind\":\"task\",\"id\":\"\"} | a task or an update has no task id",
        "V0_3 | {\"kind\":\"task\",\"id\":\"t\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}"
            + " | a task or an update has no state that the version knows",
        "V1_0 | {\"kind\":\"message\"} | the result is of no kind that was asked for",
        "V1_0 | {\"task\":{},\"message\":{}} | the result is of no kind that was asked for",
        "V1_0 | {\"statusUpdate\":{}} | the result is of no kind that was asked for",
        "V1_0 | {\"task\":7} | a task or an update has no task id",
        "V1_0 | {\"task\":{\"id\":\"t\",\"status\":{\"state\":\"working\"}}}"
            + " | a task or an update has no state that the version knows",
        "V1_0 | {\"task\":{\"id\":\"t\",\"status\":{\"state\":\"TASK_STATE_UNKNOWN\"}}}"
            + " | a task or an update has no state that the version knows"
      })
  void anotherResultIsInvalid(A2aVersion version, String json, String defect) throws IOException {
    assertThat(sentTo(version, MESSAGE, answering(200, JSON, result(json))))
        .isEqualTo(AgentOutcome.invalid(defect));
  }

  @ParameterizedTest
  @EnumSource(A2aVersion.class)
  void aTaskThatWasNotAskedForIsInvalid(A2aVersion version) throws IOException {
    String other = task(version, "secret", A2aTaskState.WORKING);

    assertThat(taskFrom(version, answering(200, JSON, result(other))))
        .isEqualTo(AgentOutcome.invalid("the answer is another task"));
  }

  @Test
  void consecutiveRequestsShareAConnection() throws IOException {
    try (StubServer agent =
        StubServer.each(answering(200, JSON, result(task(V1_0, "t1", A2aTaskState.WORKING))))) {
      AgentClient client = agentFixture.client(agent.url("/"));
      for (int i = 0; i < 5; i++) {
        assertThat(client.getTask(endpoint(agent, V1_0), BY_ID, AgentCallOptions.NONE).join())
            .isInstanceOf(AgentOutcome.Success.class);
      }

      assertThat(agent.accepted()).isEqualTo(1);
      assertThat(client.connections()).isEqualTo(1);
      assertThat(agent.requests).extracting(Request::id).doesNotHaveDuplicates();
    }
  }

  private static String method(Request request) {
    return request.body().split("\"method\":\"", -1)[1].split("\"", -1)[0];
  }

  private AgentItem sent(A2aVersion version, String json) throws IOException {
    return switch (sentTo(version, MESSAGE, answering(200, JSON, result(json)))) {
      case AgentOutcome.Success<AgentItem>(var item) -> item;
      case AgentOutcome.Failed<AgentItem>(var failure) -> throw new AssertionError(failure);
    };
  }

  private AgentOutcome<AgentItem> sentTo(A2aVersion version, String params, Script script)
      throws IOException {
    try (StubServer agent = new StubServer(script)) {
      return agentFixture
          .client(agent.url("/"))
          .sendMessage(endpoint(agent, version), params, SendMode.BLOCKING, agentFixture.noting())
          .join();
    }
  }

  private AgentOutcome<AgentItem> taskFrom(A2aVersion version, Script script) throws IOException {
    try (StubServer agent = new StubServer(script)) {
      return agentFixture
          .client(agent.url("/"))
          .getTask(endpoint(agent, version), BY_ID, agentFixture.noting())
          .join();
    }
  }

  private AgentOutcome<TaskPage> listed(A2aVersion version, String page) throws IOException {
    try (StubServer agent = new StubServer(answering(200, JSON, result(page)))) {
      return agentFixture
          .client(agent.url("/"))
          .listTasks(endpoint(agent, version), "{}", agentFixture.noting())
          .join();
    }
  }
}
