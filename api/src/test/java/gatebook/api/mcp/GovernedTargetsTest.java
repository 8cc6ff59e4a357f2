package gatebook.api.mcp;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.call.Intent;
import gatebook.command.gate.GateInput.On;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void aGovernedMethodNamesWhatItActsOn(String method, String member, On on) {
    assertThat(
            governedTargets.aim(asking(method, "{\"x\":1,\"%s\":\"a\\u0062c\"}".formatted(member))))
        .contains(new Intent.Act("abc", on));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ping", "tools/list", "initialize", "Tools/call", "resources/unsubscribe"})
  void noOtherMethodActsOnAnything(String method) {
    assertThat(governedTargets.aim(asking(method, "{\"name\":\"x\",\"uri\":\"x\"}"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "[\"name\"]", "{\"uri\":\"x\"}"})
  void aTargetThatIsNotThereIsWrong(String params) {
    assertThat(governedTargets.aim(asking("tools/call", params)))
        .contains(wrong("name", "a string"));
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
  void ofATargetThatIsNoStringTheTypeIsTold(String name, String type) {
    assertThat(governedTargets.aim(asking("tools/call", "{\"name\":%s}".formatted(name))))
        .contains(wrong("name", "a string", type));
  }

  @Test
  void withoutParamsThereIsNoTarget() {
    assertThat(governedTargets.aim(asking("resources/read", null)))
        .contains(wrong("uri", "a string"));
  }

  @Test
  void aNameIsNoLongerThanNamesAre() {
    String longest = "x".repeat(GovernedTargets.NAME_CHARS_MAX);

    assertThat(governedTargets.aim(asking("tools/call", "{\"name\":\"%s\"}".formatted(longest))))
        .contains(new Intent.Act(longest, On.TOOL));
    assertThat(governedTargets.aim(asking("tools/call", "{\"name\":\"%sx\"}".formatted(longest))))
        .contains(wrong("name", "at most 1024 characters"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {"[]|array", "1|number", "\"{}\"|string"})
  void argumentsAreAnObject(String arguments, String type) {
    assertThat(
            governedTargets.aim(
                asking("tools/call", "{\"name\":\"x\",\"arguments\":%s}".formatted(arguments))))
        .contains(wrong("arguments", "an object", type));
  }

  @Test
  void argumentsThatAreNullAreNotThere() {
    Asking asking = asking("tools/call", "{\"name\":\"x\",\"arguments\":null}");

    assertThat(governedTargets.aim(asking)).contains(new Intent.Act("x", On.TOOL));
    assertThat(governedTargets.arguments(asking)).isEqualTo(Optional.empty());
  }

  @Test
  void aTargetIsGivenItsArgumentsAsTheyWereSent() {
    assertThat(
            governedTargets.arguments(
                asking("tools/call", "{\"name\":\"x\", \"arguments\": {\"a\" : 1.50}}")))
        .contains("{\"a\" : 1.50}");
    assertThat(governedTargets.arguments(asking("tools/call", "{\"name\":\"x\"}")))
        .isEqualTo(Optional.empty());
  }

  @Test
  void whatActsOnNothingIsGivenItsParams() {
    assertThat(governedTargets.arguments(asking("ping", "{\"a\":1}"))).contains("{\"a\":1}");
    assertThat(governedTargets.arguments(asking("ping", null))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"shown\",\"Name\":\"hidden\"}",
        "{\"NAME \":\"hidden\",\"name\":\"shown\"}",
        "{\"name\":\"shown\",\"Arguments\":{}}",
      })
  void whatASloppyReaderWouldTakeForTheNameIsRefused(String params) {
    assertThat(governedTargets.aim(asking("tools/call", params)))
        .contains(
            new Intent.Unservable(
                new InvalidParams(
                    List.of(
                        new Problem(
                            "params", null, "members in their right case", null, List.of())))));
  }

  @Test
  void whoWantsToHearOfResourcesActsOnEachOfThemOnce() {
    assertThat(governedTargets.aim(listening("[\"file:///a\",\"b\\u0063\",\"file:///a\"]")))
        .contains(new Intent.Act("file:///a", On.RESOURCE, List.of("bc")));
    assertThat(governedTargets.aim(listening("[]"))).isEmpty();
    assertThat(
            governedTargets.aim(
                asking("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"file:///a\"", "[\"file:///a\",1]", "[[\"file:///a\"]]", "{}", "null"})
  void whatIsNoListOfNamesIsNotTakenForNone(String resources) {
    assertThat(governedTargets.aim(listening(resources)))
        .contains(wrong("notifications.resourceSubscriptions", "an array of strings"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"notifications\":[{\"resourceSubscriptions\":[\"x\"]}]}",
        "{\"notifications\":{\"ResourceSubscriptions\":[\"x\"]}}",
        "{\"notifications\":{\"resource_subscriptions\":[\"x\"],\"resourceSubscriptions\":[\"y\"]}}",
      })
  void whatASloppyReaderWouldTakeForResourcesIsRefused(String params) {
    assertThat(governedTargets.aim(asking("subscriptions/listen", params)))
        .contains(wrong("notifications", "an object with members in their right case"));
  }

  @Test
  void whatASloppyReaderWouldTakeForWhatIsToBeHeardIsRefused() {
    assertThat(
            governedTargets.aim(
                asking(
                    "subscriptions/listen",
                    "{\"Notifications\":{\"resourceSubscriptions\":[\"x\"]}}")))
        .contains(wrong("params", "members in their right case"));
  }

  @Test
  void nobodyHearsOfMoreResourcesAtOnceThanTheLimitAllows() {
    String most = named(GatewayLimits.DEFAULT.listenResourcesMax());
    String more = named(GatewayLimits.DEFAULT.listenResourcesMax() + 1);

    assertThat(governedTargets.aim(listening(most)).orElseThrow()).isInstanceOf(Intent.Act.class);
    assertThat(governedTargets.aim(listening(more)))
        .contains(wrong("notifications.resourceSubscriptions", "at most 100 resources"));
  }

  private static String named(int many) {
    return IntStream.range(0, many)
        .mapToObj("\"file:///%d\""::formatted)
        .collect(joining(",", "[", "]"));
  }

  private static Asking listening(String resources) {
    return asking(
        "subscriptions/listen",
        "{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":%s}}"
            .formatted(resources));
  }

  private static Asking asking(String method, @Nullable String params) {
    return new Asking(method, params, ObjectMembers.of(params), null, Listed.rules());
  }

  private static Intent wrong(String param, String expected) {
    return new Intent.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, null, List.of()))));
  }

  private static Intent wrong(String param, String expected, String type) {
    JsonValue received = JsonValue.parse("\"%s\"".formatted(type));
    return new Intent.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, received, List.of()))));
  }
}
