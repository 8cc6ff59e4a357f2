package gatebook.api.operator.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Hides in recorded arguments what the workflow of a call hides from approvers. */
public final class HiddenArguments {
  private static final String REDACTED = "redacted";
  private static final String BEGINNING = "beginning";

  private final Optional<RulesInForce> rules;

  public HiddenArguments(Optional<RulesInForce> rules) {
    this.rules = rules;
  }

  /**
   * Hides fields of the arguments in an event. Without rules that have the workflow, and where only
   * the beginning of the arguments is kept, nothing of them is shown.
   *
   * @param event a tree that the caller owns; it is changed
   * @param workflow of the call; empty when no approval was requested
   */
  public void hide(JsonNode event, Supplier<Optional<String>> workflow) {
    if (event.get("arguments") instanceof ObjectNode kept) {
      workflow
          .get()
          .ifPresent(name -> hide(kept, rules.flatMap(known -> known.hiddenFields(name))));
    }
  }

  private static void hide(ObjectNode kept, Optional<List<String>> paths) {
    if (paths.isEmpty()) {
      kept.remove(List.of(REDACTED, BEGINNING));
    } else if (!paths.get().isEmpty()) {
      kept.remove(BEGINNING);
      HiddenFields.hide(kept.path(REDACTED), paths.get());
    }
  }
}
