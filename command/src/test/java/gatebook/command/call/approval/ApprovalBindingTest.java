package gatebook.command.call.approval;

import static gatebook.command.GivenCall.ADA;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenSources;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateInput;
import gatebook.command.rules.ExposeRules;
import gatebook.events.call.Dialect;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ApprovalBindingTest {

  private static final Part GIVEN =
      new Part(Dialect.MCP, "s", "", "deploy", "ada", "tools/call", "{\"a\":1}");

  /** Everything that an approval is bound to. */
  record Part(
      Dialect dialect,
      String source,
      String prefix,
      String target,
      String principal,
      String method,
      @Nullable String params) {

    String content() {
      return content(CALL, NOON);
    }

    String content(UUID callId, Instant at) {
      return content(callId, at, new Principal(principal, List.of(), Map.of()));
    }

    String content(UUID callId, Instant at, Principal who) {
      Intent intent = new Intent.Act(target, GateInput.TargetKind.TOOL);
      ReceiveCall call =
          new ReceiveCall(
              callId,
              "c-" + at,
              null,
              new DialectVersion(dialect, null),
              Transport.HTTP,
              at,
              method,
              "1",
              who,
              intent,
              params,
              null,
              null,
              "sha256:1",
              null);
      return ApprovalBinding.content(
          call,
          new GateInput(who, method, target, GateInput.TargetKind.TOOL, null, at),
          GivenSources.source(source, prefix, ExposeRules.ALL));
    }
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        changed(
            "dialect",
            new Part(Dialect.DAEMON, "s", "", "deploy", "ada", "tools/call", "{\"a\":1}")),
        changed(
            "source", new Part(Dialect.MCP, "t", "", "deploy", "ada", "tools/call", "{\"a\":1}")),
        changed(
            "own name",
            new Part(Dialect.MCP, "s", "d", "deploy", "ada", "tools/call", "{\"a\":1}")),
        changed(
            "target", new Part(Dialect.MCP, "s", "", "destroy", "ada", "tools/call", "{\"a\":1}")),
        changed(
            "principal",
            new Part(Dialect.MCP, "s", "", "deploy", "eve", "tools/call", "{\"a\":1}")),
        changed(
            "method", new Part(Dialect.MCP, "s", "", "deploy", "ada", "prompts/get", "{\"a\":1}")),
        changed(
            "params", new Part(Dialect.MCP, "s", "", "deploy", "ada", "tools/call", "{\"a\":2}")),
        changed(
            "spelling of params",
            new Part(Dialect.MCP, "s", "", "deploy", "ada", "tools/call", "{\"a\": 1}")),
        changed(
            "absence of params",
            new Part(Dialect.MCP, "s", "", "deploy", "ada", "tools/call", null)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aChangedPartChangesTheContent(String part, Part other) {
    assertThat(other.content()).as(part).isNotEqualTo(GIVEN.content());
  }

  @Test
  void callIdAndTimeDoNotChangeTheContent() {
    assertThat(GIVEN.content(UUID.randomUUID(), NOON.plusSeconds(1))).isEqualTo(GIVEN.content());
  }

  @Test
  void rolesDoNotChangeTheContent() {
    assertThat(ADA.name()).isEqualTo(GIVEN.principal);
    assertThat(ADA.roles()).isNotEmpty();

    assertThat(GIVEN.content(CALL, NOON, ADA)).isEqualTo(GIVEN.content());
  }

  static Stream<Arguments> shifts() {
    return Stream.of(
        shifted(part("ab", "c", "m"), part("a", "bc", "m")),
        shifted(part("a", "bc", "m"), part("a", "b", "cm")),
        shifted(part("a", "1:b", "m"), part("a1:", "b", "m")),
        shifted(part("a", "b3:abc", "m"), part("a", "b", "3:abcm")),
        shifted(part("a", "", "bm"), part("a", "b", "m")));
  }

  @ParameterizedTest
  @MethodSource("shifts")
  void partsCannotRunTogether(Part one, Part other) {
    assertThat(one.content()).isNotEqualTo(other.content());
  }

  private static Part part(String target, String principal, String method) {
    return new Part(Dialect.MCP, "s", "", target, principal, method, null);
  }

  private static Arguments changed(String part, Part other) {
    return Arguments.of(part, other);
  }

  private static Arguments shifted(Part one, Part other) {
    return Arguments.of(one, other);
  }
}
