package gatebook.api.mcp;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.border.Methods.Asking;
import gatebook.api.rpc.Members;
import gatebook.command.gate.Asked.On;
import gatebook.command.receive.Aim;
import gatebook.command.rules.Limits;
import gatebook.events.call.Json;
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

final class TargetsTest {

  private final Targets targets = new Targets();

  @ParameterizedTest
  @CsvSource({
    "tools/call, name, TOOL",
    "prompts/get, name, PROMPT",
    "resources/read, uri, RESOURCE",
    "resources/subscribe, uri, RESOURCE"
  })
  void aGovernedMethodNamesWhatItActsOn(String method, String member, On on) {
    assertThat(targets.aim(asking(method, "{\"x\":1,\"%s\":\"a\\u0062c\"}".formatted(member))))
        .contains(new Aim.Act("abc", on));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ping", "tools/list", "initialize", "Tools/call", "resources/unsubscribe"})
  void noOtherMethodActsOnAnything(String method) {
    assertThat(targets.aim(asking(method, "{\"name\":\"x\",\"uri\":\"x\"}"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "[\"name\"]", "{\"uri\":\"x\"}"})
  void aTargetThatIsNotThereIsWrong(String params) {
    assertThat(targets.aim(asking("tools/call", params))).contains(wrong("name", "a string"));
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
    assertThat(targets.aim(asking("tools/call", "{\"name\":%s}".formatted(name))))
        .contains(wrong("name", "a string", type));
  }

  @Test
  void withoutParamsThereIsNoTarget() {
    assertThat(targets.aim(asking("resources/read", null))).contains(wrong("uri", "a string"));
  }

  @Test
  void aNameIsNoLongerThanNamesAre() {
    String longest = "x".repeat(Targets.NAME_CHARS_MAX);

    assertThat(targets.aim(asking("tools/call", "{\"name\":\"%s\"}".formatted(longest))))
        .contains(new Aim.Act(longest, On.TOOL));
    assertThat(targets.aim(asking("tools/call", "{\"name\":\"%sx\"}".formatted(longest))))
        .contains(wrong("name", "at most 1024 characters"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {"[]|array", "1|number", "\"{}\"|string"})
  void argumentsAreAnObject(String arguments, String type) {
    assertThat(
            targets.aim(
                asking("tools/call", "{\"name\":\"x\",\"arguments\":%s}".formatted(arguments))))
        .contains(wrong("arguments", "an object", type));
  }

  @Test
  void argumentsThatAreNullAreNotThere() {
    Asking asking = asking("tools/call", "{\"name\":\"x\",\"arguments\":null}");

    assertThat(targets.aim(asking)).contains(new Aim.Act("x", On.TOOL));
    assertThat(targets.arguments(asking)).isEqualTo(Optional.empty());
  }

  @Test
  void aTargetIsGivenItsArgumentsAsTheyWereSent() {
    assertThat(
            targets.arguments(
                asking("tools/call", "{\"name\":\"x\", \"arguments\": {\"a\" : 1.50}}")))
        .contains("{\"a\" : 1.50}");
    assertThat(targets.arguments(asking("tools/call", "{\"name\":\"x\"}")))
        .isEqualTo(Optional.empty());
  }

  @Test
  void whatActsOnNothingIsGivenItsParams() {
    assertThat(targets.arguments(asking("ping", "{\"a\":1}"))).contains("{\"a\":1}");
    assertThat(targets.arguments(asking("ping", null))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"shown\",\"Name\":\"hidden\"}",
        "{\"NAME \":\"hidden\",\"name\":\"shown\"}",
        "{\"name\":\"shown\",\"Arguments\":{}}",
      })
  void whatASloppyReaderWouldTakeForTheNameIsRefused(String params) {
    assertThat(targets.aim(asking("tools/call", params)))
        .contains(
            new Aim.Unservable(
                new InvalidParams(
                    List.of(
                        new Problem(
                            "params", null, "members in their right case", null, List.of())))));
  }

  @Test
  void whoWantsToHearOfResourcesActsOnEachOfThemOnce() {
    assertThat(targets.aim(listening("[\"file:///a\",\"b\\u0063\",\"file:///a\"]")))
        .contains(new Aim.Act("file:///a", On.RESOURCE, List.of("bc")));
    assertThat(targets.aim(listening("[]"))).isEmpty();
    assertThat(
            targets.aim(
                asking("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"file:///a\"", "[\"file:///a\",1]", "[[\"file:///a\"]]", "{}", "null"})
  void whatIsNoListOfNamesIsNotTakenForNone(String resources) {
    assertThat(targets.aim(listening(resources)))
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
    assertThat(targets.aim(asking("subscriptions/listen", params)))
        .contains(wrong("notifications", "an object with members in their right case"));
  }

  @Test
  void whatASloppyReaderWouldTakeForWhatIsToBeHeardIsRefused() {
    assertThat(
            targets.aim(
                asking(
                    "subscriptions/listen",
                    "{\"Notifications\":{\"resourceSubscriptions\":[\"x\"]}}")))
        .contains(wrong("params", "members in their right case"));
  }

  @Test
  void nobodyHearsOfMoreResourcesAtOnceThanTheLimitAllows() {
    String most = named(Limits.DEFAULT.listenResourcesMax());
    String more = named(Limits.DEFAULT.listenResourcesMax() + 1);

    assertThat(targets.aim(listening(most)).orElseThrow()).isInstanceOf(Aim.Act.class);
    assertThat(targets.aim(listening(more)))
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
    return new Asking(method, params, Members.of(params), null, Listed.rules());
  }

  private static Aim wrong(String param, String expected) {
    return new Aim.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, null, List.of()))));
  }

  private static Aim wrong(String param, String expected, String type) {
    Json received = Json.parse("\"%s\"".formatted(type));
    return new Aim.Unservable(
        new InvalidParams(List.of(new Problem(param, null, expected, received, List.of()))));
  }
}
