package gatebook.api.mcp;

import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.gate.GovernanceGate;
import gatebook.command.gate.GovernanceGate.GovernanceResult;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Action;
import java.util.List;
import java.util.Optional;

/**
 * Declares to clients the capability that calls waiting for approval may become tasks, whether or
 * not the sources support tasks. Without approvals in the rules, nothing is added.
 */
public final class TaskCapabilities {

  private static final String FIRST_REVISION = "2025-11-25";
  private static final String SUPPORT = "taskSupport";

  private TaskCapabilities() {}

  /** Without the originals of calls, no task could be resumed. */
  private static boolean makesTasks(Rules rules) {
    return rules.recording().originals() && rules.governance().mayRequireApproval();
  }

  /** Adds the capability to the result of {@code initialize}. */
  public static Ended initialized(Ended initializeResult, Rules rules) {
    return initializeResult instanceof Ended.Result result
            && makesTasks(rules)
            && ObjectMembers.of(result.json())
                    .text("protocolVersion")
                    .orElse("")
                    .compareTo(FIRST_REVISION)
                >= 0
        ? result.withJson(
            MemberSplice.with(
                MemberSplice.with(result.json(), List.of("capabilities", "tasks", "cancel"), "{}"),
                List.of("capabilities", "tasks", "requests", "tools", "call"),
                "{}"))
        : initializeResult;
  }

  /** Adds the extension to the result of {@code server/discover}. */
  public static Ended discovered(Ended discoverResult, Rules rules) {
    return discoverResult instanceof Ended.Result result && makesTasks(rules)
        ? result.withJson(
            MemberSplice.with(
                result.json(),
                List.of("capabilities", "extensions", StatelessRequest.TASKS_EXTENSION),
                "{}"))
        : discoverResult;
  }

  /** Adds task support to the tools, under the callers' names, that may wait for approval. */
  static Ended tools(Ended list, Rules rules) {
    if (!(list instanceof Ended.Result result) || !makesTasks(rules)) {
      return list;
    }
    Optional<List<String>> tools =
        ObjectMembers.of(result.json()).json("tools").flatMap(ArrayElements::of);
    return tools.isEmpty()
        ? list
        : result.withJson(
            MemberSplice.with(
                result.json(),
                List.of("tools"),
                tools.get().stream().map(it -> tool(it, rules)).collect(joining(",", "[", "]"))));
  }

  private static String tool(String tool, Rules rules) {
    String name = ObjectMembers.of(tool).text("name").orElse("");
    return VisibilityGate.evaluate(name, SourceFamily.TOOLS, rules)
            instanceof VisibilityResult.Shown(var source, _)
        ? tool(tool, source.ownName(name), source, rules)
        : tool;
  }

  private static String tool(String tool, String own, Source source, Rules rules) {
    return mayWait(own, source, rules)
            && !ObjectMembers.of(tool)
                .members("execution")
                .text(SUPPORT)
                .orElse("")
                .equals("required")
        ? MemberSplice.with(tool, List.of("execution", SUPPORT), "\"optional\"")
        : tool;
  }

  private static boolean mayWait(String own, Source source, Rules rules) {
    GovernanceResult governanceResult =
        GovernanceGate.evaluate(source.id(), own, rules.governance(), rules.workflows().keySet());
    return governanceResult.rule() == null
        ? governanceResult.action() == Action.APPROVE
        : governanceResult.rule().mayRequireApproval();
  }
}
