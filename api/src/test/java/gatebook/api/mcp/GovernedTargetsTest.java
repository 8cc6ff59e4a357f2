package gatebook.api.mcp;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpParams;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.TargetKind;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GovernedTargetsTest {

  private final GovernedTargets governedTargets = new GovernedTargets();

  @ParameterizedTest
  @CsvSource({
    "tools/call, name, TOOL",
    "prompts/get, name, PROMPT",
    "resources/read, uri, RESOURCE",
    "resources/subscribe, uri, RESOURCE"
  })
  void aGovernedMethodNamesItsTarget(String method, String member, TargetKind targetKind) {
    assertThat(
            intent(
                call(
                    method,
                    """
                    {"x":1,"%s":"a\\u0062c"}\
                    """
                        .formatted(member))))
        .contains(new Intent.Act("abc", targetKind));
  }

  @Test
  void completionForAResourceActsOnItsUri() {
    assertThat(
            governedTargets.intent(
                call(
                    "completion/complete",
                    """
                    {"ref":{"type":"ref/resource","name":"x","uri":"file:///a"}}\
                    """)))
        .contains(new Intent.Act("file:///a", TargetKind.RESOURCE));
  }

  @ParameterizedTest
  @MethodSource("governedMethods")
  void everyGovernedMethodActsAndHasLookalikes(String method) {
    assertThat(
            intent(
                call(
                    method,
                    """
                    {"name":"x","uri":"x","ref":{"type":"ref/prompt","name":"x"},\
                    "notifications":{"resourceSubscriptions":["x"]}}\
                    """)))
        .containsInstanceOf(Intent.Act.class);
    assertThat(LookalikeCheck.isLookalike(method)).isFalse();
    assertThat(LookalikeCheck.isLookalike(method.toUpperCase(Locale.ROOT))).isTrue();
    assertThat(LookalikeCheck.isLookalike(method.replace("/", "."))).isTrue();
  }

  private static Stream<String> governedMethods() {
    return McpMethod.governed().stream().sorted();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ping", "tools/list", "initialize", "Tools/call", "resources/unsubscribe"})
  void otherMethodsHaveNoTarget(String method) {
    assertThat(
            intent(
                call(
                    method,
                    """
                    {"name":"x","uri":"x"}\
                    """)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"uri\":\"x\"}"})
  void aMissingTargetIsRefused(String params) {
    assertThat(intent(call("tools/call", params))).contains(wrong("name", "a string", "nothing"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "1|number",
        "null|null",
        "true|boolean",
        "[\"a\"]|array",
        "{\"b\":\"secret\"}|object"
      })
  void aTargetOfAnotherTypeIsRefusedWithItsType(String name, String type) {
    assertThat(intent(call("tools/call", "{\"name\":%s}".formatted(name))))
        .contains(wrong("name", "a string", type));
  }

  @Test
  void missingParamsAreRefused() {
    assertThat(intent(call("resources/read", null))).contains(wrong("uri", "a string", "nothing"));
  }

  @Test
  void aTooLongNameIsRefused() {
    String longest = "x".repeat(McpParams.NAME_CHARS_MAX);

    assertThat(intent(call("tools/call", "{\"name\":\"%s\"}".formatted(longest))))
        .contains(new Intent.Act(longest, TargetKind.TOOL));
    assertThat(intent(call("tools/call", "{\"name\":\"%sx\"}".formatted(longest))))
        .contains(wrong("name", "at most 1024 characters", "string"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {"[]|array", "1|number", "\"{}\"|string"})
  void argumentsMustBeAnObject(String arguments, String type) {
    assertThat(
            intent(
                call(
                    "tools/call",
                    """
                    {"name":"x","arguments":%s}\
                    """
                        .formatted(arguments))))
        .contains(wrong("arguments", "an object", type));
  }

  @Test
  void nullArgumentsCountAsAbsent() {
    DialectCall dialectCall =
        call(
            "tools/call",
            """
            {"name":"x","arguments":null}\
            """);

    assertThat(intent(dialectCall)).contains(new Intent.Act("x", TargetKind.TOOL));
    assertThat(governedTargets.arguments(dialectCall)).isEqualTo(Optional.empty());
  }

  @Test
  void argumentsArePassedUnchanged() {
    assertThat(
            governedTargets.arguments(
                call(
                    "tools/call",
                    """
                    {"name":"x", "arguments": {"a" : 1.50}}\
                    """)))
        .contains("{\"a\" : 1.50}");
    assertThat(governedTargets.arguments(call("tools/call", "{\"name\":\"x\"}")))
        .isEqualTo(Optional.empty());
  }

  @Test
  void aMethodWithoutTargetGetsItsParams() {
    assertThat(governedTargets.arguments(call("ping", "{\"a\":1}"))).contains("{\"a\":1}");
    assertThat(governedTargets.arguments(call("ping", null))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          {"name":"shown","Name":"hidden"}  | Name      | string
          {"NAME ":"hidden","name":"shown"} | NAME      | string
          {"name":"shown","Arguments":{}}   | Arguments | object
          """)
  void aLookalikeOfTheNameIsRefused(String params, String param, String type) {
    assertThat(intent(call("tools/call", params)))
        .contains(wrong(param, "members in their right case", type));
  }

  @Test
  void aSubscriptionActsOnEachResourceOnce() {
    assertThat(intent(subscription("[\"file:///a\",\"b\\u0063\",\"file:///a\"]")))
        .contains(new Intent.Act("file:///a", TargetKind.RESOURCE, List.of("bc")));
    assertThat(intent(subscription("[]"))).isEmpty();
    assertThat(
            intent(
                call(
                    "subscriptions/listen",
                    """
                    {"notifications":{"toolsListChanged":true}}\
                    """)))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          "file:///a"     | string
          ["file:///a",1] | array
          [["file:///a"]] | array
          {}              | object
          null            | null
          """)
  void anInvalidListOfResourcesIsRefused(String resources, String type) {
    assertThat(intent(subscription(resources)))
        .contains(wrong("notifications.resourceSubscriptions", "an array of strings", type));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"notifications":{"ResourceSubscriptions":["x"]}}\
        """,
        """
        {"notifications":{"resource_subscriptions":["x"],"resourceSubscriptions":["y"]}}\
        """,
      })
  void aLookalikeOfTheResourcesIsRefused(String params) {
    assertThat(intent(call("subscriptions/listen", params)))
        .contains(wrong("notifications", "an object with members in their right case", "object"));
  }

  @Test
  void aLookalikeOfTheNotificationsIsRefused() {
    assertThat(
            intent(
                call(
                    "subscriptions/listen",
                    """
                    {"Notifications":{"resourceSubscriptions":["x"]}}\
                    """)))
        .contains(wrong("Notifications", "members in their right case", "object"));
  }

  @Test
  void tooManyResourcesAreRefused() {
    String most = resources(GatewayLimits.DEFAULT.getInt(Limit.LISTEN_RESOURCES_MAX));
    String more = resources(GatewayLimits.DEFAULT.getInt(Limit.LISTEN_RESOURCES_MAX) + 1);

    assertThat(intent(subscription(most)).orElseThrow()).isInstanceOf(Intent.Act.class);
    assertThat(intent(subscription(more)))
        .contains(
            wrong(
                "notifications.resourceSubscriptions",
                "at most 100 resources",
                JsonValue.parse("101")));
  }

  private static String resources(int many) {
    return IntStream.range(0, many)
        .mapToObj("\"file:///%d\""::formatted)
        .collect(joining(",", "[", "]"));
  }

  private static DialectCall subscription(String resources) {
    return call(
        "subscriptions/listen",
        """
        {"notifications":{"toolsListChanged":true,"resourceSubscriptions":%s}}\
        """
            .formatted(resources));
  }

  private static DialectCall call(String method, @Nullable String params) {
    return new DialectCall(
        method, params, ObjectMembers.of(params), null, FixedToolsUpstream.rules());
  }

  private Optional<Intent> intent(DialectCall dialectCall) {
    return GovernedTargets.refusal(dialectCall).or(() -> governedTargets.intent(dialectCall));
  }

  private static Intent wrong(String param, String expected, String type) {
    return wrong(param, expected, JsonValue.parse("\"%s\"".formatted(type)));
  }

  private static Intent wrong(String param, String expected, JsonValue received) {
    return new Intent.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, received, List.of()))));
  }
}
