package gatebook.api.operator;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.A2aParams;
import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.flow.read.FlowMethod;
import gatebook.api.flow.read.FlowParams;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.RequestMember;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.Tables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParamTablesTest {

  private static final String HEAD =
      """
      | method | param | accepted | required | default | meaning |
      | --- | --- | --- | --- | --- | --- |
      """;

  @Test
  void documentListsEveryDeclaredParam(@TempDir Path data) throws IOException {
    try (OperatorTestNode node =
        new OperatorTestNode(
            data, List::of, Optional.of(new OperatorControllerTest.FailingRules()))) {
      Tables.expect(
          "api/PARAMS.md",
          """
          # Params of requests

          Each of these tables is printed from the declarations that requests are checked by, and compared with them by every
          build (`mvn -q test -pl api -am -Dtest=ParamTablesTest -Dtables=write` writes them anew). Params that do not fit are
          refused with the code -32602, which names the param, what is expected and what was received.

          ## mcp

          Notifications that are not in the table take `_meta` too. Params are given by name. Other members are accepted and
          ignored, and a `null` counts as absent.

          """
              + HEAD
              + McpMethod.declared().stream()
                  .sorted()
                  .map(method -> rows(method, McpMethod.params(method).orElseThrow()))
                  .collect(joining())
              + """

              ## a2a 0.3

              Other members are accepted and ignored, and a `null` counts as absent.

              """
              + HEAD
              + ofA2a(A2aVersion.V0_3)
              + """

              ## a2a 1.0

              The same is true here. A name may be written in `snake_case`, too, except for `skillId`.

              """
              + HEAD
              + ofA2a(A2aVersion.V1_0)
              + """

              ## flow 1.0

              These are the params of the protocol's own profile. `tasks.create` takes one task, or an array of tasks, as
              `tasks.execute` does. A wrong member of a task has the code -32005; but if the params are one task, a wrong `name`,
              `user_id`, `parent_id`, `priority`, `inputs`, `schemas` or `dependencies` has -32602. Other members are accepted, and
              a `null` counts as absent. The largest numbers in `webhook_config` are limits of the rules, here by default.

              """
              + HEAD
              + ofFlow(FlowProfile.PROTOCOL)
              + """

              ## flow 0.18

              The same is true of the profile of existing clients.

              """
              + HEAD
              + ofFlow(FlowProfile.CLIENT)
              + """

              ## daemon

              `tools/list` and `tools/call` take the params `cursor`, `name`, `arguments` and `_meta` as in MCP. No other params are
              accepted, except by `initialize`.

              """
              + HEAD
              + BuiltInMethods.declared().entrySet().stream()
                  .sorted(Map.Entry.comparingByKey())
                  .map(method -> rows(method.getKey(), method.getValue()))
                  .collect(joining())
              + """

              ## operators

              No other params are accepted, and `null` is a value.

              """
              + HEAD
              + node.operatorRpc().methods().stream()
                  .map(method -> rows(method.name(), method.params()))
                  .collect(joining()));
    }
  }

  private static String ofA2a(A2aVersion version) {
    Map<DeclaredParams, List<String>> methods = new LinkedHashMap<>();
    for (A2aMethod method : A2aMethod.values()) {
      method
          .wireName(version)
          .ifPresent(name ->
              methods
                  .computeIfAbsent(
                      A2aParams.of(new VersionedMethod(method, version)), _ -> new ArrayList<>())
                  .add(name));
    }
    return rows(methods);
  }

  private static String ofFlow(FlowProfile profile) {
    Map<DeclaredParams, List<String>> methods = new LinkedHashMap<>();
    for (FlowMethod method : FlowMethod.values()) {
      methods
          .computeIfAbsent(
              FlowParams.of(method, profile, GatewayLimits.DEFAULT), _ -> new ArrayList<>())
          .add(method.wireName());
    }
    return rows(methods);
  }

  /** Methods with the same params share their rows. */
  private static String rows(Map<DeclaredParams, List<String>> methods) {
    return methods.entrySet().stream()
        .map(entry -> rows(String.join("`, `", entry.getValue()), entry.getKey()))
        .collect(joining());
  }

  private static String rows(String method, DeclaredParams params) {
    return params.members().stream().map(it -> rows(method, "", it)).collect(joining());
  }

  private static String rows(String method, String path, RequestMember member) {
    String name = path + member.name();
    String alias = member.alias();
    String byDefault = member.byDefault();
    assertThat(byDefault == null || member.type().accepts(byDefault)).as(name).isTrue();
    boolean isNamedTwice = alias != null && !alias.equals(member.name());
    return "| `%s` | `%s`%s | %s | %s | %s | %s |\n"
            .formatted(
                method,
                name,
                isNamedTwice ? " or `%s`".formatted(alias) : "",
                accepted(member.type()),
                member.required() ? "yes" : "no",
                byDefault == null ? "" : "`%s`".formatted(byDefault),
                member.meaning())
        + inner(method, name, member.type());
  }

  private static String accepted(MemberType type) {
    return switch (type) {
      case MemberType.Word(var words, _, _) -> "one of " + String.join(", ", words);
      case MemberType.Some(var within, _, var expected, _) when !within.isUnbounded() ->
          within.expected() + ", " + expected;
      default -> type.expected();
    };
  }

  private static String inner(String method, String name, MemberType type) {
    return switch (type) {
      case MemberType.Members(var inner, _) ->
          inner.stream().map(it -> rows(method, name + ".", it)).collect(joining());
      case MemberType.Array array -> inner(method, name + "[]", array.of());
      case MemberType.Either(var types, _) ->
          types.stream().map(it -> inner(method, name, it)).collect(joining());
      default -> "";
    };
  }
}
