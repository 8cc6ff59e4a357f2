package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.tree.TreeStatus;
import gatebook.query.Views;
import gatebook.query.trees.ListTrees;
import gatebook.query.trees.TreeQueries;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The method {@code audit.trees}, which lists trees of tasks. */
public final class TreeMethods {

  /** The params of {@code audit.trees}. */
  public static final DeclaredParams TREES =
      DeclaredParams.of(
          RequestMember.optional("owner", ParamTypes.TEXT, "The principal that created the trees."),
          RequestMember.optional("status", ParamTypes.TREE_STATUS, "The status of the trees."),
          ParamTypes.limit("trees"),
          ParamTypes.CURSOR_PARAM,
          AuditMethods.AT_LEAST);

  private final Views views;

  public TreeMethods(Views views) {
    this.views = views;
  }

  public List<OperatorMethod> all() {
    return List.of(list());
  }

  private OperatorMethod list() {
    return new OperatorMethod(
        "audit.trees",
        "Lists the trees of tasks that match all given filters, newest first.",
        TREES,
        Set.of(Role.VIEW),
        true,
        ViewMethods.whenWhole(views, Views.TREES, (callParams, _) -> list(callParams)));
  }

  private Outcome list(CallParams callParams) throws InterruptedException {
    TreeQueries.Page page =
        views
            .queries()
            .send(
                new ListTrees(
                    callParams.optionalText("owner"),
                    callParams
                        .optionalText("status")
                        .map(word ->
                            AuditMethods.byWord(TreeStatus.values(), TreeStatus::word, word)),
                    callParams.cursor("cursor"),
                    callParams.limit(),
                    callParams.position("atLeast")),
                TreeQueries.Page.class);
    Map<String, Object> result = ViewMethods.positionJson(page.reached());
    result.put("trees", page.trees().stream().map(TreeJson::withoutTasks).toList());
    DroppedPart.add(result, views, Optional.empty());
    page.next().ifPresent(next -> result.put("cursor", Long.toString(next)));
    return Outcome.answered(result);
  }
}
