package gatebook.command.receive;

import static gatebook.command.Given.rules;
import static gatebook.command.GivenCall.ADA;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.KEEPER;
import static gatebook.command.GivenCall.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.Given;
import gatebook.command.Tongue;
import gatebook.command.gate.Asked;
import gatebook.command.keep.Keeper;
import gatebook.command.rules.Expose;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
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

final class BindingTest {

  private static final Part GIVEN =
      new Part(Dialect.MCP, "s", "", "deploy", "ada", "tools/call", "{\"a\":1}");

  /** All that an approval is bound to. */
  record Part(
      Dialect dialect,
      String source,
      String prefix,
      String target,
      String principal,
      String method,
      @Nullable String params) {

    Digest digest() {
      return digest(CALL, NOON, KEEPER);
    }

    Digest digest(UUID callId, Instant at, Keeper keeper) {
      Principal who = new Principal(principal, List.of(), Map.of());
      Aim aim = new Aim.Act(target, Asked.On.TOOL);
      ReceiveCall call =
          new ReceiveCall(
              callId,
              "c-" + at,
              null,
              new Tongue(dialect, null),
              Transport.HTTP,
              at,
              method,
              "1",
              who,
              aim,
              params,
              null,
              null,
              rules(List.of()));
      return Binding.of(
          call,
          new Asked(who, method, target, Asked.On.TOOL, null, at),
          Given.source(source, prefix, Expose.ALL),
          keeper);
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
  void anApprovalIsGoodForNoOther(String part, Part other) {
    assertThat(other.digest()).as(part).isNotEqualTo(GIVEN.digest());
  }

  @Test
  void theSameCallIsBoundTheSameWhenever() {
    assertThat(GIVEN.digest(UUID.randomUUID(), NOON.plusSeconds(1), KEEPER))
        .isEqualTo(GIVEN.digest());
  }

  @Test
  void withoutTheKeyNobodyCanSayWhatWasApproved() {
    byte[] otherKey = new byte[Keeper.KEY_BYTES];
    otherKey[0] = 1;

    assertThat(GIVEN.digest(CALL, NOON, new Keeper(otherKey))).isNotEqualTo(GIVEN.digest());
  }

  @Test
  void thePrincipalsRolesMayChangeForTheGatesSeeThem() {
    assertThat(ADA.name()).isEqualTo(GIVEN.principal);
    Digest bare = GIVEN.digest();
    ReceiveCall call =
        new ReceiveCall(
            CALL,
            "c",
            null,
            new Tongue(Dialect.MCP, null),
            Transport.HTTP,
            NOON,
            "tools/call",
            "1",
            ADA,
            new Aim.Act("deploy", Asked.On.TOOL),
            "{\"a\":1}",
            null,
            null,
            rules(List.of()));

    assertThat(
            Binding.of(
                call,
                new Asked(ADA, "tools/call", "deploy", Asked.On.TOOL, null, NOON),
                Given.source("s", "", Expose.ALL),
                KEEPER))
        .isEqualTo(bare);
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
  void whatEndsOnePartCannotBeginTheNext(Part one, Part other) {
    assertThat(one.digest()).isNotEqualTo(other.digest());
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
