package gatebook.api.node.operator;

import static gatebook.api.node.NodeCaller.ALICE;
import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.RealJournal;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.OperatorActed;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator methods that show the rules of now and then, of a whole node. */
@Timeout(300)
final class RuleMethodsTest {

  /** The token of an operator with the role {@code view} only. */
  private static final String VIEWER = "operator-viewer-0123456789";

  private static final String SECRET = "hunter2-hunter2";

  private static final String POLICIES =
      """
      // who may pay
      @id("small")
      permit (principal, action, resource) when { context.policy_id == "pay" };
      forbid (principal, action, resource) when { context.policy_id == "never" };
      """;

  @TempDir private Path folder;

  private final JsonMapper json = new JsonMapper();
  private @Nullable WatchedNode started;

  private static String rules(String action) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance:
      defaults: {action: forward}
      rules:
        - match: echo
          action: %s
        - {match: transfer, action: policy, policy_id: pay} # money
        - {match: "delete_*", action: policy, policy_id: never}
    cedar: {policies: [pay.cedar]}
    operators:
      - {name: alice, token_hash: "%s", roles: [view, admin]}
      - {name: viewer, token_hash: "%s", roles: [view]}
    """
        .formatted(action, hash(ALICE), hash(VIEWER));
  }

  @BeforeEach
  void start() throws IOException {
    Files.writeString(folder.resolve("pay.cedar"), POLICIES);
    started = WatchedNode.start(folder, rules("deny"));
  }

  @AfterEach
  void stop() {
    node().close();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }

  @Test
  void historyListsChangesNewestFirst() throws IOException {
    String first = node().rulesHash();
    node().change("gatebook.yaml", rules("forward"));
    String second = node().rulesHash();
    node().changeToInvalid(rules("no such action"));

    JsonNode all = result("rules.history", "{}");

    assertThat(all.findValuesAsText("hash")).containsExactly(second, first);
    assertThat(all.path("activations").findValuesAsText("position"))
        .containsExactlyElementsOf(positions(RulesActivated.class).reversed());
    assertThat(all.path("rejections").findValuesAsText("position"))
        .containsExactlyElementsOf(positions(RulesRejected.class));
    assertThat(all.at("/rejections/0/mistakes/0/line").asInt()).isEqualTo(7);
    assertThat(all.has("cursor")).isFalse();

    JsonNode newest = result("rules.history", "{\"limit\":2}");
    JsonNode oldest =
        result(
            "rules.history",
            "{\"limit\":2,\"cursor\":\"%s\"}".formatted(newest.path("cursor").asText()));
    assertThat(newest.path("rejections")).isEqualTo(all.path("rejections"));
    assertThat(newest.findValuesAsText("hash")).containsExactly(second);
    assertThat(oldest.path("rejections")).isEmpty();
    assertThat(oldest.path("activations").get(0)).isEqualTo(all.at("/activations/1"));
    assertThat(oldest.has("cursor")).isFalse();
  }

  private List<String> positions(Class<? extends Event> type) {
    return RealJournal.entries(node().journal()).stream()
        .filter(entry -> entry.name().endsWith("." + type.getSimpleName()))
        .map(entry -> Long.toString(entry.position()))
        .toList();
  }

  @Test
  void textIsAsRecorded() throws IOException {
    RulesActivated recorded =
        node().events().stream()
            .filter(RulesActivated.class::isInstance)
            .map(RulesActivated.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(result("rules.text", "{\"hash\":\"%s\"}".formatted(recorded.rulesHash())))
        .isEqualTo(
            json.createObjectNode()
                .put("hash", recorded.rulesHash())
                .put("text", recorded.rules())
                .set(
                    "policies",
                    json.createArrayNode()
                        .add(
                            json.createObjectNode()
                                .put("name", "pay.cedar")
                                .put("text", POLICIES))));
    assertThat(recorded.rules()).doesNotContain(hash(ALICE));
    assertThat(message("rules.text", "{\"hash\":\"sha256:00\"}"))
        .isEqualTo("no rules of this hash were activated: rules.history lists all that were");
  }

  @Test
  void excerptIsOfTheRulesThatDecided() throws IOException {
    String first = node().rulesHash();
    call("a", "echo");
    node().change("gatebook.yaml", "# longer\n" + rules("forward"));
    call("b", "echo");
    call("c", "transfer");
    call("d", "delete_all");
    call("e", "process");
    String second = node().rulesHash();

    assertThat(excerpt("a"))
        .isEqualTo(excerpt(first, "6", "    - match: echo\n      action: deny", ""));
    assertThat(excerpt("b"))
        .isEqualTo(excerpt(second, "7", "    - match: echo\n      action: forward", ""));
    assertThat(excerpt("c"))
        .isEqualTo(
            excerpt(
                second,
                "9",
                "    - {match: transfer, action: policy, policy_id: pay} # money",
                """
                small: @id("small")
                permit (principal, action, resource) when { context.policy_id == "pay" };\
                """));
    assertThat(excerpt("d"))
        .isEqualTo(
            excerpt(
                second,
                "10",
                "    - {match: \"delete_*\", action: policy, policy_id: never}",
                """
                pay.cedar:4: forbid (principal, action, resource) when { context.policy_id == "never" };\
                """));
    assertThat(excerpt("e")).isEqualTo(excerpt(second, "", "", ""));
  }

  private static String excerpt(String hash, String line, String rule, String policies) {
    return String.join("|", hash, line, rule, policies);
  }

  private String excerpt(String correlationId) throws IOException {
    JsonNode excerpt =
        result("rules.excerpt", "{\"callId\":\"%s\"}".formatted(callId(correlationId)));
    assertThat(excerpt.path("activatedAt").asText()).endsWith("Z");
    StringBuilder policies = new StringBuilder();
    excerpt
        .path("policies")
        .forEach(it -> policies.append(it.path("id").asText() + ": " + it.path("text").asText()));
    return excerpt(
        excerpt.path("hash").asText(),
        excerpt.at("/rule/line").asText(),
        excerpt.at("/rule/text").asText(),
        policies.toString());
  }

  @Test
  void excerptSaysWhyThereIsNone() throws IOException {
    node().provoke("refused", "{\"jsonrpc\":\"2.0\",\"id\":1}");
    String refused = result("audit.lookup", "{\"id\":\"refused\"}").at("/calls/0/callId").asText();

    assertThat(message("rules.excerpt", "{\"callId\":\"%s\"}".formatted(refused)))
        .isEqualTo("no gate has decided this call");
    assertThat(message("rules.excerpt", "{\"callId\":\"0192aaaa-0000-7000-8000-00000000abcd\"}"))
        .isEqualTo("nothing is recorded of this call");
  }

  @Test
  void candidateIsCheckedAndNotActivated() throws IOException {
    List<Event> before = node().events();

    JsonNode good = result("rules.check", candidate(rules("forward")));
    JsonNode bad = result("rules.check", candidate(rules("no such action")));

    assertThat(good.path("ok").asBoolean()).isTrue();
    assertThat(bad.path("ok").asBoolean()).isFalse();
    assertThat(bad.at("/mistakes/0/line").asInt()).isEqualTo(7);
    assertThat(node().events().subList(before.size(), node().events().size()))
        .hasSize(2)
        .allMatch(OperatorActed.class::isInstance);
  }

  /** Whether the check finds mistakes or not, and is allowed or not. */
  @Test
  void candidatesSecretsAreNeitherRecordedNorLogged() throws IOException {
    String secret = rules("deny").replace("kind: demo", "kind: demo, password: " + SECRET);

    for (String text : List.of(secret, "{ " + SECRET, "${" + SECRET + "}", SECRET, "")) {
      for (String token : List.of(ALICE, VIEWER)) {
        for (String params :
            List.of(
                candidate(text),
                candidate(text).replace("\"text\"", "\"texts\""),
                candidate(text).replaceFirst("}$", ",\"text\":\"" + SECRET + "\"}"),
                "{\"text\":{\"%s\":1}}".formatted(SECRET),
                "[\"%s\"]".formatted(SECRET))) {
          var _ = node().operator(token, "rules.check", params);
        }
      }
    }

    assertThat(node().stored()).noneMatch(it -> it.contains(SECRET));
    assertThat(node().lines().toString()).doesNotContain(SECRET);
    OperatorActed last = (OperatorActed) node().events().getLast();
    assertThat(last.method()).isEqualTo("rules.check");
  }

  @Test
  void candidateIsRecordedByItsSizeAndADigest() throws IOException {
    String text = rules("forward");
    var _ = result("rules.check", candidate(text));
    var _ = result("rules.check", candidate(text));
    var _ = result("rules.check", candidate(text + "#"));

    List<JsonNode> recorded =
        node().events().stream()
            .filter(OperatorActed.class::isInstance)
            .map(it -> parsed(String.valueOf(((OperatorActed) it).params())).path("text"))
            .toList();

    assertThat(recorded).hasSize(3);
    assertThat(recorded.get(0).path("sizeBytes").asInt()).isEqualTo(text.length());
    assertThat(recorded.get(0).path("hmac").asText()).matches("sha256:[0-9a-f]{64}");
    assertThat(recorded.get(1)).isEqualTo(recorded.get(0));
    assertThat(recorded.get(2).path("hmac")).isNotEqualTo(recorded.get(0).path("hmac"));
  }

  private String candidate(String text) {
    return json.createObjectNode().put("text", text).toString();
  }

  private JsonNode parsed(String text) {
    try {
      return json.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void call(String correlationId, String tool) throws IOException {
    node().provoke(correlationId, toolCall(tool));
  }

  private String callId(String correlationId) {
    return ((CallReceived) node().events(correlationId).getFirst()).callId().toString();
  }

  private JsonNode result(String method, String params) throws IOException {
    JsonNode answer = node().operator(ALICE, method, params);
    assertThat(answer.path("error")).isEmpty();
    return answer.path("result");
  }

  private String message(String method, String params) throws IOException {
    return node().operator(ALICE, method, params).at("/error/message").asText();
  }
}
