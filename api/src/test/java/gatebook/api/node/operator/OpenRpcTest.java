package gatebook.api.node.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskStarted;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.Gate;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallStatus;
import gatebook.query.projection.ViewStatus;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The OpenRPC document of a node, compared with what the node does. */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenRpcTest {
  private static final String CANDIDATE =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: deny}}
      """;

  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String DOCUMENT = "https://gatebook.test/openrpc";
  private static final String OPEN_RPC = "https://meta.open-rpc.org/";
  private static final String JSON_SCHEMA = "https://meta.json-schema.tools/";
  private static final int INVALID_PARAMS = -32_602;

  private Path backups = Path.of("");
  private @Nullable WatchedNode started;
  private JsonNode document = NODES.objectNode();
  private SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7);

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    backups = folder.resolve("backups");
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules:
                - {match: "delete_*", action: deny}
                - {match: "deploy", action: approve, approval: ops}
            approval: {ops: {timeout: 10m, on_timeout: deny}}
            limits: {quotas: [{name: all, concurrent_max: 1000, calls_per_day: 1000000}]}
            operators:
              - {name: alice, token_hash: "%s", roles: [view, arguments, approve, admin]}
            """
                .formatted(WatchedNode.hash(NodeCaller.ALICE)));
    document = ask("rpc.discover", NODES.objectNode()).path("result");
    Map<String, String> texts =
        Map.of(
            DOCUMENT,
            document.toString(),
            OPEN_RPC,
            resource("openrpc-1.4.json"),
            JSON_SCHEMA,
            resource("json-schema.json"),
            "https://meta.json-schema.tools",
            resource("json-schema.json"));
    schemas =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_7, builder -> builder.schemas(texts));
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @Test
  void paramsHaveTheirDefaults() {
    assertThat(param("audit.denials", "by").at("/schema/default").toString())
        .isEqualTo("[\"gate\"]");
    assertThat(param("audit.denials", "limit").at("/schema/default").asInt()).isEqualTo(100);
    assertThat(param("audit.denials", "until").at("/schema").has("default")).isFalse();
  }

  private JsonNode param(String method, String name) {
    return method(method)
        .path("params")
        .valueStream()
        .filter(it -> it.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void documentIsValidOpenRpc() {
    assertThat(mistakes(OPEN_RPC, document)).isEmpty();
    assertThat(mistakes(OPEN_RPC, ((ObjectNode) document.deepCopy()).put("surplus", 1)))
        .isNotEmpty();
    assertThat(methods()).isNotEmpty().allSatisfy(OpenRpcTest::hasItsParamsInOrder);
  }

  /** Checks what the specification requires and its schema cannot express. */
  private static void hasItsParamsInOrder(JsonNode method) {
    List<Boolean> required =
        stream(method.path("params")).map(it -> it.path("required").asBoolean()).toList();
    assertThat(required).isSortedAccordingTo((one, other) -> Boolean.compare(other, one));
    assertThat(stream(method.path("params")).map(it -> it.path("name").asText()))
        .doesNotHaveDuplicates();
  }

  @Test
  void everyDocumentedErrorOccursAndHasItsOwnCode() {
    Map<String, Integer> errors =
        document.path("components").path("errors").properties().stream()
            .collect(toMap(Map.Entry::getKey, it -> it.getValue().path("code").asInt()));

    assertThat(errors)
        .isEqualTo(
            Map.of(
                "InvalidParams",
                -32_602,
                "Forbidden",
                403,
                "NotNow",
                503,
                "InternalError",
                -32_603));
    assertThat(methods())
        .allSatisfy(method ->
            assertThat(stream(method.path("errors")).map(it -> it.path("$ref").asText()))
                .containsExactlyInAnyOrderElementsOf(
                    errors.keySet().stream().map(it -> "#/components/errors/" + it).toList()));
  }

  @Test
  void everyExampleIsValid() {
    assertThat(methods()).allSatisfy(this::hasAnExample);
  }

  private void hasAnExample(JsonNode method) {
    assertThat(examples(method).fieldNames())
        .toIterable()
        .containsAll(required(method))
        .isSubsetOf(names(method.path("params")));
    for (int i = 0; i < method.path("params").size(); i++) {
      JsonNode value = examples(method).get(method.at("/params/%d/name".formatted(i)).asText());
      assertThat(value == null ? List.of() : mistakes(param(method, i), value)).isEmpty();
    }
    assertThat(mistakes(result(method), method.at("/examples/0/result/value"))).isEmpty();
  }

  /** For each param and each value: the schema allows it exactly when the node accepts it. */
  @Test
  void nodeAcceptsExactlyWhatTheSchemasAllow() throws Exception {
    for (JsonNode method : methods()) {
      for (int i = 0; i < method.path("params").size(); i++) {
        String schema = param(method, i);
        JsonNode param = method.path("params").path(i);
        String name = param.path("name").asText();
        Map<JsonNode, String> refusals = refusals(method, name, values(param.path("schema")));
        refusals.forEach((value, refusal) ->
            assertThat(refusal.startsWith(name + " must be "))
                .as("%s %s: %.200s is refused with '%s'", method.path("name"), name, value, refusal)
                .isEqualTo(!mistakes(schema, value).isEmpty()));
      }
    }
  }

  /** Sends all requests at once, since some of the accepted ones wait for a later position. */
  private Map<JsonNode, String> refusals(JsonNode method, String name, List<JsonNode> values)
      throws Exception {
    Map<JsonNode, Future<String>> asked = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (JsonNode value : values) {
        asked.put(value, threads.submit(() -> refusal(method, with(method, name, value))));
      }
    }
    Map<JsonNode, String> refusals = new LinkedHashMap<>();
    asked.forEach((value, refusal) -> refusals.put(value, refusal.resultNow()));
    return refusals;
  }

  @Test
  void missingAndUnknownParamsAreNamed() throws IOException {
    for (JsonNode method : methods()) {
      for (String name : required(method)) {
        ObjectNode without = examples(method);
        without.remove(name);
        assertThat(refusal(method, without)).startsWith(name + " is missing: ");
      }
      assertThat(refusal(method, examples(method).put("no-such", 1)))
          .isEqualTo(
              method.path("params").isEmpty()
                  ? "this method takes no params"
                  : "this method takes no other params than "
                      + String.join(", ", names(method.path("params"))));
    }
  }

  @Test
  void reasonIsLimitedInBytes() throws IOException {
    JsonNode reject = method("approvals.reject");

    assertThat(refusal(reject, with(reject, "reason", NODES.textNode("é".repeat(513)))))
        .isEqualTo("reason must be a text of 1 to 1024 bytes in UTF-8");
  }

  /** Calls with every outcome, and every operator method about them. */
  @Test
  void everyResultMatchesItsSchema() throws IOException {
    node().provoke("answered", WatchedNode.toolCall("echo"));
    node().provoke("denied", WatchedNode.toolCall("delete_all"));
    node()
        .provoke(
            "refused",
            """
            {"jsonrpc":"2.0","id":1}\
            """);
    CompletableFuture<RawHttp.Answer> yes = node().hold("yes", WatchedNode.toolCall("deploy"));
    CompletableFuture<RawHttp.Answer> no = node().hold("no", WatchedNode.toolCall("deploy"));
    appendTree();

    List<String> asked = new ArrayList<>();

    Stream.of("answered", "denied", "refused", "yes", "nobody", "order", "pay")
        .forEach(id -> asked.add(valid("audit.lookup", params("id", id))));
    asked.add(valid("audit.lookup", params("id", "nobody").put("atLeast", 1_000_000)));
    Stream.of("answered", "denied", "refused", "yes")
        .forEach(id -> asked.add(valid("audit.replayCall", params("id", id))));
    asked.add(valid("audit.verify", params()));
    asked.add(valid("audit.verify", (ObjectNode) params().set("against", array("no note"))));
    asked.add(valid("audit.verify", params().put("all", true)));
    asked.add(valid("audit.denials", params()));
    asked.add(valid("audit.denials", (ObjectNode) params().set("by", allValuesOf("by"))));
    asked.add(valid("audit.deniedCalls", params()));
    asked.add(valid("audit.failedCalls", params()));
    asked.add(valid("audit.proof", params("callId", callId("denied"))));
    asked.add(valid("audit.proof", params().put("position", 1)));
    asked.add(valid("audit.consistency", params().put("fromSize", 0)));
    Stream.of("answered", "denied", "refused", "yes")
        .forEach(id -> asked.add(valid("audit.case", params("id", id))));
    asked.add(valid("audit.errors", params()));
    asked.add(valid("audit.errors", (ObjectNode) params().set("by", array("code"))));
    asked.add(valid("audit.calls", params()));
    asked.add(valid("audit.calls", params().put("limit", 1)));
    asked.add(valid("audit.trees", params()));
    asked.add(valid("audit.replay", params("projection", "calls")));
    asked.add(valid("audit.projections", params()));
    asked.add(valid("node.status", params()));
    asked.add(valid("quotas.list", params().put("limit", 1)));
    asked.add(valid("audit.cancelReplay", params("projection", "calls")));
    asked.add(valid("audit.parked", params()));
    asked.add(valid("audit.retryParked", params("projection", "calls").put("position", 1)));
    asked.add(valid("audit.discardParked", params("projection", "calls").put("position", 1)));
    asked.add(valid("approvals.list", params()));
    asked.add(valid("approvals.approve", params("callId", callId("yes"))));
    asked.add(valid("approvals.reject", params("callId", callId("yes"))));
    asked.add(valid("approvals.reject", params("callId", callId("no")).put("reason", "why not")));
    asked.add(valid("backup.status", params()));
    asked.add(valid("backup.start", params("target", backups.toString())));
    asked.add(valid("backup.status", params()));
    String bytes = "A".repeat(43) + "=";
    asked.add(
        valid(
            "backup.keys",
            params("file", backups.resolveSibling("gatebook.keys").toString())
                .put("key", bytes)
                .put("salt", bytes)
                .put("iterations", 600_000)));
    asked.add(valid("keys.rotate", params("key", "checkpoint")));
    asked.add(valid("rules.show", params()));
    asked.add(valid("rules.check", params()));
    asked.add(valid("rules.check", params("text", "schema: 2")));
    asked.add(valid("audit.whatif", params("text", CANDIDATE)));
    await()
        .until(
            () -> ask("audit.whatifStatus", params()).at("/result/state").asText().equals("done"));
    asked.add(valid("audit.whatifStatus", params()));
    asked.add(valid("audit.cancelWhatif", params()));
    asked.add(valid("rules.history", params().put("limit", 1)));
    asked.add(valid("rules.text", params("hash", node().rulesHash())));
    asked.add(valid("rules.excerpt", params("callId", callId("denied"))));
    asked.add(valid("content.find", params("containing", "rm")));
    ObjectNode forget = params("principal", "nobody").put("reason", "asked");
    asked.add(valid("content.forget", forget));
    asked.add(valid("content.forget", forget.deepCopy().put("dryRun", true)));
    asked.add(valid("rpc.discover", params()));
    asked.add(valid("operator.whoami", params()));
    asked.add(valid("operator.consoleLink", params()));
    asked.add(valid("keys.rotate", params().put("key", "wrapping")));
    asked.add(
        valid("operator.rotateToken", params())); // comes last: the token is invalid afterwards

    assertThat(yes.join().body()).contains("result");
    assertThat(no.join().body()).contains("-32007");
    assertThat(asked).containsAll(names(document.path("methods")));
  }

  /** A tree with a task that runs, one that failed, and one that is completed. */
  private void appendTree() {
    UUID tree = UUID.randomUUID();
    Digest digest = new Digest("k1", Bytes.of(new byte[32]));
    KeptContent kept = new KeptContent(2, digest, JsonValue.parse("{}"), null);
    String original = "{}";
    TaskContent content =
        new TaskContent(
            "a task", "echo", 2, List.of(new TaskDependency("pay", true)), kept, original);
    Instant at = Instant.now();
    append(
        new TreeTaskCreated(tree, "order", "ada", null, content, tree, at),
        new TreeTaskCreated(tree, "pay", "ada", "order", content, tree, at),
        new TreeTaskCreated(tree, "send", "ada", "order", content, tree, at),
        new TreeExecutionStarted(tree, "ada", tree, "order", tree, false, at, null, null),
        new TreeTaskStarted(tree, "order", "ada", tree, 1, null, at),
        new TreeTaskStarted(tree, "pay", "ada", tree, 1, null, at),
        new TreeTaskFailed(tree, "pay", "ada", 1, "no", -32_001, tree, at),
        new TreeTaskCompleted(tree, "send", "ada", 1, null, kept, original, at),
        new TreeTaskArchived(tree, "send", "ada", tree, at));
  }

  private void append(Event... events) {
    EventVocabulary eventVocabulary = node().vocabulary();
    assertThat(
            node()
                .journal()
                .append(
                    ConflictCondition.none(),
                    Stream.of(events)
                        .map(event -> eventVocabulary.draft(event, Instant.now()))
                        .toList())
                .join())
        .isInstanceOf(Append.Stored.class);
  }

  @Test
  void documentNamesEveryValueOfResults() {
    String call = "/result/schema/properties/calls/items/properties/";
    String view = "/result/schema/properties/projections/items/properties/";

    assertThat(words("audit.lookup", call + "status"))
        .containsExactlyElementsOf(Stream.of(CallStatus.values()).map(CallStatus::word).toList());
    assertThat(words("audit.lookup", call + "gate"))
        .containsExactlyElementsOf(Stream.of(Gate.values()).map(Gate::word).toList());
    assertThat(words("audit.lookup", call + "dialect"))
        .containsExactlyElementsOf(Stream.of(Dialect.values()).map(Dialect::word).toList());
    for (String method : List.of("audit.trees", "audit.lookup")) {
      assertThat(words(method, "/result/schema/properties/trees/items/properties/status"))
          .containsExactlyElementsOf(Stream.of(TreeStatus.values()).map(TreeStatus::word).toList());
    }
    assertThat(words("operator.whoami", "/result/schema/properties/roles/items"))
        .containsExactlyElementsOf(
            Stream.of(Role.values()).map(role -> role.name().toLowerCase(Locale.ROOT)).toList());
    assertThat(words("audit.projections", view + "state"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(ViewStatus.State.values()).map(ViewStatus.State::word).toList());
  }

  /** All values of the param of {@code audit.denials}. */
  private JsonNode allValuesOf(String param) {
    return stream(method("audit.denials").path("params"))
        .filter(it -> it.path("name").asText().equals(param))
        .map(it -> it.at("/schema/items/enum"))
        .findFirst()
        .orElseThrow();
  }

  private List<String> words(String method, String schema) {
    return stream(method(method).at(schema + "/enum"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .toList();
  }

  /** Calls a method and checks its result against the described schema. */
  private String valid(String name, ObjectNode params) {
    try {
      JsonNode answer = ask(name, params);
      assertThat(answer.has("result")).as(answer.toString()).isTrue();
      assertThat(mistakes(result(method(name)), answer.path("result"))).isEmpty();
      return name;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Values at the limits of the schema, and values of every other kind. */
  private static List<JsonNode> values(JsonNode schema) {
    List<JsonNode> values = new ArrayList<>();
    Stream.of(
            "null",
            "true",
            "0",
            "1",
            "-1",
            "1.5",
            "9".repeat(400),
            "{}",
            "{\"a\":1}",
            "[]",
            "[1]",
            "[\"\"]",
            "[\"a\"]",
            "[[\"a\"]]",
            "9223372036854775807",
            "9223372036854775808",
            "\"\"",
            "\" \"",
            "\"\\t\\n\"",
            "\"\\u0000\"",
            "\"a\"",
            "\"1\"",
            "\" a \"",
            "\"\\ud83d\\ude00\"",
            "\"0192aaaa-0000-7000-8000-00000000abcd\"",
            "\"0192AAAA00007000800000000000ABCD\"",
            "\" 0192aaaa-0000-7000-8000-00000000abcd\\n\"",
            "\"x0192aaaa-0000-7000-8000-00000000abcd\"",
            "\"0192aaaa-0000-7000-8000-00000000abcd0\"",
            "\"0192aaaa-0000-7000-8000-00000000abc\"",
            "\"0192aaaa--0000-7000-8000-00000000abcd\"",
            "\"g192aaaa-0000-7000-8000-00000000abcd\"")
        .map(OpenRpcTest::parsed)
        .forEach(values::add);
    if (schema.has("minimum")) {
      values.add(NODES.numberNode(integer(schema, "minimum")));
      values.add(NODES.numberNode(integer(schema, "minimum").subtract(BigInteger.ONE)));
      values.add(NODES.numberNode(integer(schema, "maximum")));
      values.add(NODES.numberNode(integer(schema, "maximum").add(BigInteger.ONE)));
    }
    texts(schema).forEach(values::add);
    if (schema.has("maxItems")) {
      values.add(repeated(schema.path("maxItems").asInt(), "a"));
      values.add(repeated(schema.path("maxItems").asInt() + 1, "a"));
      texts(schema.path("items")).forEach(text -> values.add(NODES.arrayNode().add(text)));
    }
    return values;
  }

  private static Stream<JsonNode> texts(JsonNode schema) {
    int charsMax = schema.path("maxLength").asInt();
    return charsMax == 0
        ? Stream.of()
        : Stream.of("a".repeat(charsMax), "a".repeat(charsMax + 1)).map(NODES::textNode);
  }

  private static ArrayNode repeated(int times, String text) {
    ArrayNode array = NODES.arrayNode();
    for (int i = 0; i < times; i++) {
      array.add(text);
    }
    return array;
  }

  private static BigInteger integer(JsonNode schema, String member) {
    return schema.path(member).bigIntegerValue();
  }

  private List<String> mistakes(String schema, JsonNode value) {
    Schema loaded = schemas.getSchema(SchemaLocation.of(schema));
    return loaded.validate(value).stream().map(Object::toString).toList();
  }

  private String param(JsonNode method, int index) {
    return at(method) + "/params/%d/schema".formatted(index);
  }

  private String result(JsonNode method) {
    return at(method) + "/result/schema";
  }

  private String at(JsonNode method) {
    return DOCUMENT + "#/methods/" + methods().indexOf(method);
  }

  private List<JsonNode> methods() {
    return stream(document.path("methods")).toList();
  }

  private JsonNode method(String name) {
    return methods().stream()
        .filter(it -> it.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(JsonNode named) {
    return stream(named).map(it -> it.path("name").asText()).toList();
  }

  private static List<String> required(JsonNode method) {
    return stream(method.path("params"))
        .filter(it -> it.path("required").asBoolean())
        .map(it -> it.path("name").asText())
        .toList();
  }

  /** The params of the method's example. */
  private static ObjectNode examples(JsonNode method) {
    ObjectNode params = NODES.objectNode();
    stream(method.at("/examples/0/params"))
        .forEach(it -> params.set(it.path("name").asText(), it.path("value")));
    return params;
  }

  private static ObjectNode with(JsonNode method, String name, JsonNode value) {
    ObjectNode params = examples(method);
    params.set(name, value);
    return params;
  }

  private static ObjectNode params() {
    return NODES.objectNode();
  }

  private static ObjectNode params(String name, String value) {
    return params().put(name, value);
  }

  private static ArrayNode array(String text) {
    return NODES.arrayNode().add(text);
  }

  private String callId(String correlationId) {
    return ((CallReceived) node().events(correlationId).getFirst()).callId().toString();
  }

  /** Why the params are refused; empty when they are not. */
  private String refusal(JsonNode method, ObjectNode params) throws IOException {
    JsonNode error = ask(method.path("name").asText(), params).path("error");
    return error.path("code").asInt() == INVALID_PARAMS ? error.path("message").asText() : "";
  }

  private JsonNode ask(String method, ObjectNode params) throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    RawHttp.Answer answer =
        node()
            .send(
                Port.ADMIN,
                "/operator",
                body.getBytes(UTF_8),
                "Content-Type: application/json",
                "Authorization: Bearer " + NodeCaller.ALICE);
    return JSON.readTree(answer.body());
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream file = OpenRpcTest.class.getResourceAsStream("/openrpc/" + name)) {
      // the validator expects another URI for JSON Schema
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8)
          .replace(
              """
              "$schema": "https://meta.json-schema.tools/"\
              """,
              """
              "$schema": "http://json-schema.org/draft-07/schema#"\
              """);
    }
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
