package gatebook.api.operator;

import static java.util.stream.Collectors.joining;

import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.RequestMember;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.events.Tables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParamTablesTest {

  private static final String HEAD =
      """
      | method | param | accepted | required | meaning |
      | --- | --- | --- | --- | --- |
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

  private static String rows(String method, DeclaredParams params) {
    return params.members().stream().map(it -> rows(method, "", it)).collect(joining());
  }

  private static String rows(String method, String path, RequestMember member) {
    String name = path + member.name();
    String row =
        "| `%s` | `%s` | %s | %s | %s |\n"
            .formatted(
                method,
                name,
                member.type() instanceof MemberType.Word(var words, _, _)
                    ? "one of " + String.join(", ", words)
                    : member.type().expected(),
                member.required() ? "yes" : "no",
                member.meaning());
    return member.type() instanceof MemberType.Members(var inner, _)
        ? row + inner.stream().map(it -> rows(method, name + ".", it)).collect(joining())
        : row;
  }
}
