package gatebook.api.mcp;

import static java.util.stream.Collectors.joining;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.gate.GovernanceGate;
import gatebook.command.gate.GovernanceGate.Governed;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.Sight;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Action;
import java.util.List;
import java.util.Optional;

/**
 * Tells clients that calls which have to wait for a person may become tasks, whatever the sources
 * behind us know of tasks. Where nobody is ever asked, nothing is added to what the sources say.
 */
public final class TaskCapabilities {

  private static final String FIRST_REVISION = "2025-11-25";
  private static final String SUPPORT = "taskSupport";

  private TaskCapabilities() {}

  /** Without the originals, no task could be gone on with. */
  private static boolean isMade(Rules rules) {
    return rules.keeping().originals() && rules.governance().asks();
  }

  /** What is said when a client introduces itself. */
  public static Ended introduced(Ended introduction, Rules rules) {
    return introduction instanceof Ended.Result result
            && isMade(rules)
            && ObjectMembers.of(result.json())
                    .text("protocolVersion")
                    .orElse("")
                    .compareTo(FIRST_REVISION)
                >= 0
        ? result.with(
            MemberSplice.with(
                MemberSplice.with(result.json(), List.of("capabilities", "tasks", "cancel"), "{}"),
                List.of("capabilities", "tasks", "requests", "tools", "call"),
                "{}"))
        : introduction;
  }

  /** What is said when a client of the stateless revisions asks what there is. */
  public static Ended discovered(Ended discovered, Rules rules) {
    return discovered instanceof Ended.Result result && isMade(rules)
        ? result.with(
            MemberSplice.with(
                result.json(),
                List.of("capabilities", "extensions", StatelessRequest.TASKS_EXTENSION),
                "{}"))
        : discovered;
  }

  /** What is said of tools, by the names they are called here: who may wait may ask for a task. */
  static Ended tools(Ended list, Rules rules) {
    if (!(list instanceof Ended.Result result) || !isMade(rules)) {
      return list;
    }
    Optional<List<String>> tools =
        ObjectMembers.of(result.json()).json("tools").flatMap(ArrayElements::of);
    return tools.isEmpty()
        ? list
        : result.with(
            MemberSplice.with(
                result.json(),
                List.of("tools"),
                tools.get().stream().map(it -> tool(it, rules)).collect(joining(",", "[", "]"))));
  }

  private static String tool(String tool, Rules rules) {
    String name = ObjectMembers.of(tool).text("name").orElse("");
    return VisibilityGate.of(name, SourceFamily.TOOLS, rules) instanceof Sight.Shown(var source, _)
        ? tool(tool, source.ownName(name), source, rules)
        : tool;
  }

  private static String tool(String tool, String own, Source source, Rules rules) {
    return isAsked(own, source, rules)
            && !ObjectMembers.of(tool)
                .members("execution")
                .text(SUPPORT)
                .orElse("")
                .equals("required")
        ? MemberSplice.with(tool, List.of("execution", SUPPORT), "\"optional\"")
        : tool;
  }

  private static boolean isAsked(String own, Source source, Rules rules) {
    Governed governed =
        GovernanceGate.of(source.id(), own, rules.governance(), rules.workflows().keySet());
    return governed.rule() == null ? governed.action() == Action.APPROVE : governed.rule().asks();
  }
}
