package gatebook.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.DialectReading;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RequestMember;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.Intent;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.HeaderMismatch;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Misdirected.MethodNotFound;
import gatebook.events.fault.Problem;
import gatebook.events.fault.Unsupported.ClientCapabilityMissing;
import gatebook.events.fault.Unsupported.VersionNotSupported;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StatelessRequestTest {

  private static final String NOW = "2026-07-28";
  private static final String TASKS =
      """
      {"extensions":{"io.modelcontextprotocol/tasks":{}}}\
      """;

  @Test
  void aRequestOfAnotherRevisionIsNotChecked() {
    assertThat(StatelessRequest.refusal(request("tools/call", "{\"name\":\"t\"}", null, Map.of())))
        .isEmpty();
    assertThat(
            StatelessRequest.refusal(
                request("ping", null, "2025-11-25", Map.of("mcp-method", "something/else"))))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ping, 2025-03-26, false",
    "ping, 2024-11-05, true",
    "ping, latest, true",
    "initialize, 2024-11-05, false"
  })
  void anUnsupportedVersionIsRefused(String method, String version, boolean isRefused) {
    DialectCall call = request(method, null, version, Map.of("mcp-protocol-version", version));
    VersionNotSupported fault = new VersionNotSupported(version, McpRevisions.SUPPORTED);

    assertThat(StatelessRequest.refusal(call))
        .isEqualTo(isRefused ? Optional.of(fault) : Optional.empty());
    assertThat(
            new ErrorTranslation(UnaryOperator.identity())
                .translate(fault, new DialectVersion(Dialect.MCP, version), "c")
                .httpStatus())
        .isEqualTo(400);
  }

  @Test
  void aCompleteRequestWithMatchingHeadersIsServed() {
    assertThat(
            StatelessRequest.refusal(
                call("t", Map.of("mcp-method", "tools/call", "mcp-name", "t"))))
        .isEmpty();
    assertThat(
            StatelessRequest.refusal(
                call("t", Map.of("mcp-method", " tools/call ", "mcp-name", "t "))))
        .isEmpty();
    assertThat(
            StatelessRequest.refusal(
                call(
                    "w\u00f6rk",
                    Map.of("mcp-method", "tools/call", "mcp-name", "=?base64?d8O2cms=?="))))
        .isEmpty();
    assertThat(
            StatelessRequest.refusal(
                request(
                    "tools/list", "{" + meta(NOW) + "}", NOW, Map.of("mcp-method", "tools/list"))))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "tools/call, other,  Mcp-Name",
        "tools/call, T,      Mcp-Name",
        "tools/call, -,      Mcp-Name",
        "tools/call, =?base64?!!?=, Mcp-Name",
        "Tools/Call, t,      Mcp-Method",
        "-,          t,      Mcp-Method",
      })
  void headersThatDoNotMatchAreRefused(
      @Nullable String method, @Nullable String name, String header) {
    Map<String, String> headers = new HashMap<>();
    if (method != null) {
      headers.put("mcp-method", method);
    }
    if (name != null) {
      headers.put("mcp-name", name);
    }

    assertThat(StatelessRequest.refusal(call("t", headers))).contains(new HeaderMismatch(header));
  }

  @Test
  void aTaskRequestMustNameThatTask() {
    String params = "{\"taskId\":\"t\"," + meta(NOW, TASKS) + "}";

    assertThat(StatelessRequest.refusal(request("tasks/get", params, NOW, task("t")))).isEmpty();
    assertThat(
            StatelessRequest.refusal(
                request("tasks/get", params, NOW, Map.of("mcp-method", "tasks/get"))))
        .isEmpty();
    assertThat(StatelessRequest.refusal(request("tasks/get", params, NOW, task("u"))))
        .contains(new HeaderMismatch("Mcp-Name"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks/get", "tasks/update", "tasks/cancel"})
  void aClientThatDoesNotDeclareTasksIsRefused(String method) {
    String params = "{\"taskId\":\"t\"," + meta(NOW) + "}";

    assertThat(StatelessRequest.refusal(request(method, params, NOW, Map.of("mcp-method", method))))
        .contains(new ClientCapabilityMissing(List.of("extensions.io.modelcontextprotocol/tasks")));
    assertThat(StatelessRequest.refusal(request(method, "{\"taskId\":\"t\"}", null, Map.of())))
        .isEmpty();
  }

  private static Map<String, String> task(String name) {
    return Map.of("mcp-method", "tasks/get", "mcp-name", name);
  }

  @Test
  void theVersionsOfHeaderAndBodyMustMatch() {
    assertThat(
            StatelessRequest.refusal(
                request("ping", "{" + meta(NOW) + "}", "2025-11-25", Map.of("mcp-method", "ping"))))
        .contains(new HeaderMismatch("MCP-Protocol-Version"));
    assertThat(
            StatelessRequest.refusal(
                request("ping", "{" + meta(NOW) + "}", null, Map.of("mcp-method", "ping"))))
        .contains(new HeaderMismatch("MCP-Protocol-Version"));
  }

  @Test
  void missingMetadataIsRefused() {
    assertThat(StatelessRequest.refusal(request("tools/list", null, NOW, Map.of())))
        .contains(missing("_meta.io.modelcontextprotocol/protocolVersion"));
    assertThat(
            StatelessRequest.refusal(
                request(
                    "tools/list",
                    """
                    {"_meta":{"io.modelcontextprotocol/protocolVersion":"%s"}}\
                    """
                        .formatted(NOW),
                    NOW,
                    Map.of())))
        .contains(missing("_meta.io.modelcontextprotocol/clientCapabilities"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2099-01-01", "1900-01-01", "next"})
  void anUnsupportedVersionIsAnsweredWithTheSupportedOnes(String version) {
    assertThat(
            StatelessRequest.refusal(
                request(
                    "tools/list",
                    "{" + meta(version) + "}",
                    version,
                    Map.of("mcp-method", "tools/list"))))
        .contains(new VersionNotSupported(version, List.of("2026-07-28")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list"})
  void aRemovedMethodIsNotFound(String method) {
    assertThat(
            StatelessRequest.refusal(
                request(method, "{" + meta(NOW) + "}", NOW, Map.of("mcp-method", method))))
        .contains(new MethodNotFound(method));
  }

  @Test
  void aRecordedRequestIsDecidedAgainWithoutItsHeaders() {
    Optional<Fault> refusal =
        StatelessRequest.refusal(
            request("tools/call", "{\"name\":\"t\"," + meta(NOW) + "}", NOW, null));

    assertThat(refusal).isEmpty();
    assertThat(
            McpMethods.ofSources("1")
                .intent(request("tools/call", "{\"name\":\"t\"," + meta(NOW) + "}", NOW, null)))
        .isInstanceOf(Intent.Act.class);
  }

  private static Fault missing(String param) {
    return new InvalidParams(
        List.of(
            new Problem(param, null, "what every request says", RequestMember.NOTHING, List.of())));
  }

  private static DialectCall call(String name, Map<String, String> headers) {
    return request("tools/call", "{\"name\":\"%s\",%s}".formatted(name, meta(NOW)), NOW, headers);
  }

  private static String meta(String version) {
    return meta(version, "{}");
  }

  private static String meta(String version, String capabilities) {
    return """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"%s","io.modelcontextprotocol/clientCapabilities":%s}\
    """
        .formatted(version, capabilities);
  }

  private static DialectCall request(
      String method,
      @Nullable String params,
      @Nullable String version,
      @Nullable Map<String, String> headers) {
    return new DialectCall(
        method,
        params,
        ObjectMembers.of(params),
        version,
        FixedToolsUpstream.rules(),
        headers,
        null,
        new DialectReading());
  }
}
