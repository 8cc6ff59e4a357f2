package gatebook.api.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.operator.rpc.OperatorTestNodes;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.Principal;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.keys.ContentOwner;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What operators see of a call whose content was erased. */
@Timeout(300)
final class ErasedContentTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final JsonMapper JSON = new JsonMapper();
  private static final String RECEIVED =
      """
      {"callId":"0192aaaa-0000-7000-8000-00000000abcd","correlationId":"order-7","dialect":"mcp",\
      "transport":"http","receivedAt":"2026-01-02T03:04:05.000000006Z","method":"tools/call",\
      "rpcId":"1","principal":{"name":"alice","roles":["dev"],"attributes":%1$s},\
      "source":"demo","target":"pay","arguments":{"sizeBytes":9,"digest":{"key":"k1",\
      "hmac":"AA=="},"redacted":%2$s},"rulesHash":"rules"}\
      """;
  private static final String TRANSLATED =
      """
      {"callId":"0192aaaa-0000-7000-8000-00000000abcd","target":"pay","fault":\
      {"kind":"UpstreamConnectionFailed","source":"demo","url":"http://a","reason":%1$s,"attempts":1},"told":{"dialect":"mcp",\
      "code":-32000,"message":%2$s,"data":%3$s,"httpStatus":200},"attempts":1,\
      "upstreamMillis":3,"totalMillis":4}\
      """;

  @RegisterExtension
  static final OperatorTestNodes NODES = new OperatorTestNodes(OperatorTestNode::new);

  private final OperatorTestNode node = NODES.own();

  @Test
  void lookupSaysThatContentWasErasedAndKeepsTheRest() throws Exception {
    node.append(received(), translated());
    JsonNode before = lookup();
    erase();
    JsonNode after = lookup();

    assertThat(events(before)).containsExactlyElementsOf(opened());
    assertThat(events(after)).containsExactlyElementsOf(erased());
    assertThat(before.path("events")).noneMatch(event -> event.has("content"));
    assertThat(after.path("events"))
        .allMatch(event -> event.path("content").asText().equals("erased"));
    assertThat(withoutContent(after)).isEqualTo(withoutContent(before));
    assertThat(before.path("told").asText()).contains("failed");
    assertThat(after.has("told")).isFalse();
    assertThat(after.path("status").asText()).isEqualTo("failed");
    assertThat(after.path("code").asInt()).isEqualTo(-32_000);
  }

  @Test
  void tailSaysThatContentWasErased() throws Exception {
    node.append(received(), translated());
    erase();
    try (TailStream stream =
        TailStream.following(node, "?after=0&name=CallReceived&name=ErrorTranslated")) {
      for (JsonNode data : erased()) {
        String block = stream.block().orElseThrow();
        JsonNode event = JSON.readTree(block.substring(block.indexOf('{')));
        assertThat(event.path("data")).isEqualTo(data);
        assertThat(event.path("content").asText()).isEqualTo("erased");
      }
    }
  }

  @Test
  void lookupSaysThatTheKeyOfContentIsMissing() throws Exception {
    node.append(received(), translated());
    node.contentKeys().lose(owner());

    assertThat(lookup().path("events"))
        .allMatch(event -> event.path("content").asText().equals("key-missing"))
        .anyMatch(event -> event.at("/data/told/message").asText().equals("[key-missing]"));
  }

  private void erase() {
    node.contentKeys().erase(owner());
  }

  /** The test node seals all content as its own. */
  private static ContentOwner owner() {
    return ContentOwner.ofCall(null, CALL);
  }

  private JsonNode lookup() throws Exception {
    return JSON.readTree(
            node.call(
                """
                {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"order-7"}}\
                """))
        .at("/result/calls/0");
  }

  private static List<JsonNode> events(JsonNode call) {
    return call.path("events").valueStream().map(event -> event.path("data")).toList();
  }

  private static JsonNode withoutContent(JsonNode call) {
    ObjectNode rest = call.deepCopy();
    rest.remove("told"); // it has the message and the data
    rest.path("events").forEach(event -> ((ObjectNode) event).remove(List.of("content", "data")));
    return rest;
  }

  private static List<JsonNode> opened() throws Exception {
    return List.of(
        JSON.readTree(RECEIVED.formatted("{\"team\":\"red\"}", "{\"amount\":7}")),
        JSON.readTree(TRANSLATED.formatted("\"no route\"", "\"failed\"", "{\"why\":\"no\"}")));
  }

  private static List<JsonNode> erased() throws Exception {
    String erased = "\"[erased]\"";
    return List.of(
        JSON.readTree(RECEIVED.formatted(erased, erased)),
        JSON.readTree(TRANSLATED.formatted(erased, erased, erased)));
  }

  private static CallReceived received() {
    return ReceivedCall.of(CALL, OperatorTestNode.AT)
        .by(new Principal("alice", List.of("dev"), Map.of("team", "red")))
        .to("demo", "pay")
        .with(
            new KeptContent(
                9,
                new Digest("k1", Bytes.of(new byte[1])),
                JsonValue.parse("{\"amount\":7}"),
                null),
            "{\"amount\":7}")
        .event();
  }

  private static ErrorTranslated translated() {
    return new ErrorTranslated(
        CALL,
        "pay",
        new UpstreamFault.UpstreamConnectionFailed("demo", "http://a", "no route", 1),
        new ErrorResponse(Dialect.MCP, -32_000, "failed", JsonValue.parse("{\"why\":\"no\"}"), 200),
        1,
        3L,
        4);
  }
}
