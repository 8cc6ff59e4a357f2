package gatebook.api.a2a.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.a2a.message.A2aMessage.Content;
import gatebook.api.a2a.message.A2aMessage.Part;
import gatebook.api.a2a.message.A2aMessage.Role;
import gatebook.api.a2a.message.A2aRequest.PushAuthentication;
import gatebook.api.a2a.message.A2aRequest.PushConfig;
import gatebook.api.a2a.message.A2aRequest.SendOptions;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.events.fault.Problem;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The params of A2A in both versions: what is read from them, and what does not fit. */
final class A2aRequestReaderTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<A2aMethod> METHODS = List.of(A2aMethod.values());
  private static final SendOptions NO_OPTIONS = new SendOptions(List.of(), true, null, null);

  private static final String SEND_V1 =
      """
      {"tenant":"","message":{"messageId":"m-1","role":"ROLE_USER","contextId":"c-1",
      "taskId":"t-1","referenceTaskIds":["t-0"],"extensions":["urn:x"],
      "metadata":{"skillId":"echo","a":[1.0]},
      "parts":[{"text":"","mediaType":"text/plain"},{"raw":"AP8Q","filename":"f"},
      {"url":"https://a/b"},{"data":[1],"metadata":{"k":2}},{"data":null}]},
      "configuration":{"acceptedOutputModes":["text/plain"],"returnImmediately":true,
      "historyLength":0,"taskPushNotificationConfig":{"url":"https://h/","id":"p",
      "authentication":{"scheme":"Bearer","credentials":"s"}}},
      "metadata":{"z":1}}\
      """;

  @Test
  void messageOfV1IsReadWhole() {
    assertThat(read("SendMessage", SEND_V1))
        .isEqualTo(
            new A2aRequest.Send(
                new A2aMessage(
                    "m-1",
                    Role.USER,
                    List.of(
                        new Part(new Content.Text(""), null, "text/plain", null),
                        new Part(new Content.Raw("AP8Q"), "f", null, null),
                        new Part(new Content.Url("https://a/b"), null, null, null),
                        new Part(new Content.Data("[1]"), null, null, "{\"k\":2}"),
                        new Part(new Content.Data("null"), null, null, null)),
                    "c-1",
                    "t-1",
                    List.of("t-0"),
                    List.of("urn:x"),
                    "echo",
                    "{\"skillId\":\"echo\",\"a\":[1.0]}"),
                new SendOptions(
                    List.of("text/plain"),
                    false,
                    0,
                    new PushConfig(
                        null,
                        "p",
                        "https://h/",
                        null,
                        new PushAuthentication(List.of("Bearer"), "s"))),
                "{\"z\":1}"));
  }

  @Test
  void messageOfV03IsReadWhole() {
    assertThat(
            read(
                "message/stream",
                """
                {"message":{"kind":"message","messageId":"m-1","role":"agent","parts":[
                {"kind":"text","text":"hello","metadata":{"k":1}},
                {"kind":"file","file":{"bytes":"AA==","name":"f","mimeType":"image/png"}},
                {"kind":"file","file":{"uri":"https://a/b"}},
                {"kind":"data","data":{"a":1}}]},
                "configuration":{"blocking":false,"pushNotificationConfig":{"url":"https://h/",
                "token":"t","authentication":{"schemes":["Basic"]}}}}\
                """))
        .isEqualTo(
            new A2aRequest.Stream(
                new A2aMessage(
                    "m-1",
                    Role.AGENT,
                    List.of(
                        new Part(new Content.Text("hello"), null, null, "{\"k\":1}"),
                        new Part(new Content.Raw("AA=="), "f", "image/png", null),
                        new Part(new Content.Url("https://a/b"), null, null, null),
                        new Part(new Content.Data("{\"a\":1}"), null, null, null)),
                    null,
                    null,
                    List.of(),
                    List.of(),
                    null,
                    null),
                new SendOptions(
                    List.of(),
                    false,
                    null,
                    new PushConfig(
                        null,
                        null,
                        "https://h/",
                        "t",
                        new PushAuthentication(List.of("Basic"), null))),
                null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "message/send | {'kind':'text','text':'a'} | user",
        "message/send | {'text':'a'} | user",
        "SendMessage | {'text':'a'} | ROLE_USER"
      })
  void optionsAreOptional(String method, String part, String role) {
    assertThat(
            read(
                method,
                """
                {'message':{'messageId':'m','role':'%s','parts':[%s]}}\
                """
                    .formatted(role, part)
                    .replace('\'', '"')))
        .isEqualTo(
            new A2aRequest.Send(
                new A2aMessage(
                    "m",
                    Role.USER,
                    List.of(new Part(new Content.Text("a"), null, null, null)),
                    null,
                    null,
                    List.of(),
                    List.of(),
                    null,
                    null),
                NO_OPTIONS,
                null));
  }

  @Test
  void otherMethodsAreRead() {
    assertThat(
            List.of(
                read("tasks/get", "{\"id\":\"t\",\"historyLength\":3}"),
                read("GetTask", "{\"id\":\"t\",\"other\":[]}"),
                read("tasks/cancel", "{\"id\":\"t\",\"metadata\":{\"a\":1}}"),
                read("CancelTask", "{\"id\":\"t\"}"),
                read("tasks/resubscribe", "{\"id\":\"t\"}"),
                read("SubscribeToTask", "{\"id\":\"t\"}"),
                read("ListTasks", null),
                read(
                    "ListTasks",
                    """
                    {"contextId":"c","status":"TASK_STATE_INPUT_REQUIRED","pageSize":100,
                    "pageToken":"p","historyLength":0,"includeArtifacts":true,
                    "statusTimestampAfter":"2026-10-01T12:00:00.5+02:00"}\
                    """),
                read(
                    "ListTasks",
                    """
                    {"contextId":"","status":"TASK_STATE_UNSPECIFIED","pageToken":"",
                    "pageSize":null}\
                    """),
                read("agent/getAuthenticatedExtendedCard", null),
                read("GetExtendedAgentCard", "{}")))
        .isEqualTo(
            List.of(
                new A2aRequest.Get("t", 3),
                new A2aRequest.Get("t", null),
                new A2aRequest.Cancel("t", "{\"a\":1}"),
                new A2aRequest.Cancel("t", null),
                new A2aRequest.Subscribe("t"),
                new A2aRequest.Subscribe("t"),
                new A2aRequest.ListTasks(null, null, null, 50, null, null, false),
                new A2aRequest.ListTasks(
                    "c",
                    A2aTaskState.INPUT_REQUIRED,
                    Instant.parse("2026-10-01T10:00:00.5Z"),
                    100,
                    "p",
                    0,
                    true),
                new A2aRequest.ListTasks(null, null, null, 50, null, null, false),
                new A2aRequest.ExtendedCard(),
                new A2aRequest.ExtendedCard()));
  }

  @Test
  void methodsAboutPushAreRead() {
    PushConfig config = new PushConfig("t", null, "https://h/", null, null);

    assertThat(
            List.of(
                read(
                    "tasks/pushNotificationConfig/set",
                    """
                    {"taskId":"t","pushNotificationConfig":{"url":"https://h/"}}\
                    """),
                read(
                    "CreateTaskPushNotificationConfig",
                    """
                    {"taskId":"t","url":"https://h/"}\
                    """),
                read("tasks/pushNotificationConfig/get", "{\"id\":\"t\"}"),
                read("GetTaskPushNotificationConfig", "{\"task_id\":\"t\",\"id\":\"p\"}"),
                read("tasks/pushNotificationConfig/list", "{\"id\":\"t\"}"),
                read("ListTaskPushNotificationConfigs", "{\"taskId\":\"t\",\"page_size\":2}"),
                read(
                    "tasks/pushNotificationConfig/delete",
                    """
                    {"id":"t","pushNotificationConfigId":"p"}\
                    """),
                read("DeleteTaskPushNotificationConfig", "{\"taskId\":\"t\",\"id\":\"p\"}")))
        .isEqualTo(
            List.of(
                new A2aRequest.CreatePush(config),
                new A2aRequest.CreatePush(config),
                new A2aRequest.GetPush("t", null),
                new A2aRequest.GetPush("t", "p"),
                new A2aRequest.ListPush("t", null, null),
                new A2aRequest.ListPush("t", 2, null),
                new A2aRequest.DeletePush("t", "p"),
                new A2aRequest.DeletePush("t", "p")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SendMessage | | message missing 'nothing'",
        "SendMessage | {'message':'a'} | message type object 'string'",
        "SendMessage | [] | params type object 'array'; message missing",
        "message/send | {'message':{}} | messageId; role; parts",
        "SendMessage | {'message':{'messageId':'','role':'ROLE_USER','parts':[]}} | messageId;"
            + " parts",
        "SendMessage | {'message':{'messageId':7,'role':'user','parts':{}}} | messageId; role;"
            + " parts",
        "tasks/get | {} | id missing 'nothing'",
        "tasks/get | {'id':''} | id missing 'nothing'",
        "GetTask | {'id':7} | id type string 7",
        "GetTask | {'id':'t','historyLength':-1} | historyLength range -1",
        "GetTask | {'id':'t','historyLength':2147483648} | historyLength range 2147483648",
        "GetTask | {'id':'t','historyLength':1e400} | historyLength type integer 1e400",
        "GetTask | {'id':'t','history_length':'3'} | history_length type integer 'string'",
        "GetTask | {'id':'t','tenant':5} | tenant type string 5",
        "tasks/get | {'id':'t','metadata':[]} | metadata type object 'array'",
        "ListTasks | {'pageSize':0} | pageSize range 0",
        "ListTasks | {'pageSize':101} | pageSize range 101",
        "ListTasks | {'status':'working','statusTimestampAfter':'noon'} | status;"
            + " statusTimestampAfter",
        "ListTasks | {'includeArtifacts':'yes'} | includeArtifacts type boolean 'string'",
        "tasks/pushNotificationConfig/set | {'taskId':'t'} | pushNotificationConfig missing"
            + " 'nothing'",
        "CreateTaskPushNotificationConfig | {'taskId':'t','authentication':{}} | url; scheme",
        "DeleteTaskPushNotificationConfig | {'taskId':'t'} | id missing 'nothing'"
      })
  void whatDoesNotFitIsNamed(String method, @Nullable String params, String expected) {
    List<Problem> problems = problems(method, params == null ? null : params.replace('\'', '"'));

    if (expected.contains(" ") && !expected.contains(";")) {
      assertThat(problems.stream().map(A2aRequestReaderTest::line))
          .containsExactly(expected.replace('\'', '"'));
    } else {
      assertThat(problems.stream().map(problem -> problem.param().replaceFirst(".*\\.", "")))
          .containsExactly(
              List.of(expected.split("; ")).stream()
                  .map(it -> it.replaceFirst(" .*", ""))
                  .toArray(String[]::new));
    }
  }

  @Test
  void theLargestNumberOfARangeIsAccepted() {
    assertThat(read("GetTask", "{\"id\":\"t\",\"historyLength\":2147483647}"))
        .isEqualTo(new A2aRequest.Get("t", Integer.MAX_VALUE));
  }

  private static String line(Problem problem) {
    String reason = String.valueOf(problem.reason());
    return problem.param()
        + (reason.startsWith("Missing") ? " missing" : "")
        + (reason.endsWith("type") ? " type " + problem.expected() : "")
        + (reason.endsWith("range") ? " range" : "")
        + (problem.received() == null ? "" : " " + problem.received());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SendMessage | {} | parts[0].content",
        "SendMessage | {'text':'a','url':'b'} | parts[0].content",
        "SendMessage | {'kind':'text'} | parts[0].content",
        "SendMessage | {'text':7} | parts[0].text",
        "SendMessage | {'raw':'a b'} | parts[0].raw",
        "SendMessage | {'url':''} | parts[0].url",
        "SendMessage | 7 | parts[0]",
        "message/send | {} | parts[0].kind",
        "message/send | {'kind':'video'} | parts[0].kind",
        "message/send | {'kind':'text'} | parts[0].text",
        "message/send | {'kind':'data','data':[1]} | parts[0].data",
        "message/send | {'kind':'file','file':{}} | parts[0].file",
        "message/send | {'kind':'file','file':{'bytes':'a','uri':'b'}} | parts[0].file",
        "message/send | {'kind':'file','file':{'bytes':'?'}} | parts[0].file.bytes",
        "message/send | {'kind':'text','text':'a','metadata':[]} | parts[0].metadata"
      })
  void partThatDoesNotFitIsNamed(String method, String part, String param) {
    String role = method.equals("SendMessage") ? "ROLE_USER" : "user";

    assertThat(
            problems(
                method,
                "{'message':{'messageId':'m','role':'%s','parts':[%s]}}"
                    .formatted(role, part)
                    .replace('\'', '"')))
        .extracting(Problem::param)
        .containsExactly("message." + param);
  }

  @Test
  void skillIdMustBeAString() {
    assertThat(
            problems(
                "message/send",
                """
                {"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":""}],
                "metadata":{"skillId":7}}}\
                """))
        .extracting(Problem::param)
        .containsExactly("message.metadata.skillId");
  }

  @Test
  void metadataHaveNoOtherSpelling() {
    assertThat(
            read(
                "SendMessage",
                """
                {"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":""}],\
                "metadata":{"skill_id":7}}}\
                """))
        .extracting("message.skillId", "message.metadata")
        .containsExactly(null, "{\"skill_id\":7}");
  }

  @Test
  void idsHaveALimit() {
    assertThat(read("GetTask", "{\"id\":\"%s\"}".formatted("i".repeat(256))))
        .isEqualTo(new A2aRequest.Get("i".repeat(256), null));
    assertThat(problems("GetTask", "{\"id\":\"%s\"}".formatted("i".repeat(257))))
        .extracting(Problem::param)
        .containsExactly("id");
  }

  /** Problems are stored and sent. */
  @Test
  void problemsHaveALimit() {
    String parts = String.join(",", Collections.nCopies(500, "{}"));

    assertThat(
            problems(
                "SendMessage",
                "{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[%s]}}"
                    .formatted(parts)))
        .hasSize(100);
  }

  @Test
  void namesInSnakeCaseMeanTheSame() throws IOException {
    assertThat(read("SendMessage", snakeCase(JSON.readTree(SEND_V1)).toString()))
        .isEqualTo(read("SendMessage", JSON.readTree(SEND_V1).toString()));
  }

  private static JsonNode snakeCase(JsonNode json) {
    if (json instanceof ObjectNode object) {
      ObjectNode renamed = JsonNodeFactory.instance.objectNode();
      object
          .properties()
          .forEach(member ->
              renamed.set(
                  member.getKey().equals("skillId")
                      ? member.getKey()
                      : member.getKey().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT),
                  snakeCase(member.getValue())));
      return renamed;
    }
    if (json instanceof ArrayNode array) {
      ArrayNode renamed = JsonNodeFactory.instance.arrayNode();
      array.forEach(element -> renamed.add(snakeCase(element)));
      return renamed;
    }
    return json;
  }

  /** Whatever a member is replaced by, the request is read or its problems are named. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void changedParamsAreReadOrRefused(long seed) throws IOException {
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      JsonNode changed = JSON.readTree(SEND_V1);
      change(changed, random);
      A2aMethod method = METHODS.get(random.nextInt(METHODS.size()));
      for (A2aVersion version : A2aVersion.values()) {
        if (A2aRequestReader.read(
                new A2aMethod.VersionedMethod(method, version), changed.toString())
            instanceof A2aReading.Rejected(var fault)) {
          assertThat(fault.problems()).isNotEmpty().allMatch(it -> !it.param().isBlank());
        }
      }
    }
  }

  private static void change(JsonNode json, Random random) {
    JsonNode inner = json;
    while (true) {
      List<JsonNode> containers = new ArrayList<>();
      inner.forEach(child -> {
        if (child.isContainerNode() && !child.isEmpty()) {
          containers.add(child);
        }
      });
      if (containers.isEmpty() || random.nextInt(3) == 0) {
        break;
      }
      inner = containers.get(random.nextInt(containers.size()));
    }
    JsonNode value =
        List.of(
                JsonNodeFactory.instance.numberNode(random.nextInt(-3, 200)),
                JsonNodeFactory.instance.textNode(random.nextBoolean() ? "" : "x"),
                JsonNodeFactory.instance.nullNode(),
                JsonNodeFactory.instance.booleanNode(true),
                JsonNodeFactory.instance.arrayNode().add(1),
                JsonNodeFactory.instance.objectNode())
            .get(random.nextInt(6));
    if (inner instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      object.set(names.get(random.nextInt(names.size())), value);
    } else if (inner instanceof ArrayNode array) {
      array.set(random.nextInt(array.size()), value);
    }
  }

  private static A2aRequest read(String method, @Nullable String params) {
    return switch (A2aRequestReader.read(A2aMethod.of(method).orElseThrow(), params)) {
      case A2aReading.Understood(var request) -> request;
      case A2aReading.Rejected(var fault) -> throw new AssertionError(fault);
    };
  }

  private static List<Problem> problems(String method, @Nullable String params) {
    return switch (A2aRequestReader.read(A2aMethod.of(method).orElseThrow(), params)) {
      case A2aReading.Understood(var request) -> throw new AssertionError(request);
      case A2aReading.Rejected(var fault) -> fault.problems();
    };
  }
}
