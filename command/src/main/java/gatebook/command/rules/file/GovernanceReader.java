package gatebook.command.rules.file;

import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.events.call.Action;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads {@code governance}, which names sources, workflows and policies of other sections. */
final class GovernanceReader {

  private static final String ACTIONS = "action: forward, approve, deny or policy";

  private final Set<String> sources;
  private final Set<String> workflows;
  private final boolean hasPolicies;

  /**
   * @param sources the ids of all
   * @param workflows the names of all
   * @param hasPolicies whether there is a section {@code cedar}
   */
  GovernanceReader(Set<String> sources, Set<String> workflows, boolean hasPolicies) {
    this.sources = sources;
    this.workflows = new TreeSet<>(workflows);
    this.hasPolicies = hasPolicies;
  }

  Governance read(Value value) {
    Optional<Keys> keys = value.keys("defaults", "rules");
    return new Governance(
        keys.flatMap(it -> it.require("defaults", "defaults: {action: deny}"))
            .map(this::defaultAction)
            .orElse(Action.DENY),
        keys.flatMap(it -> it.get("rules")).map(this::rules).orElse(List.of()));
  }

  private Action defaultAction(Value defaults) {
    Optional<Value> value = defaults.keys("action").flatMap(it -> it.require("action", ACTIONS));
    Action action = value.flatMap(it -> it.word(Words.of(Action.class))).orElse(Action.DENY);
    value.ifPresent(it -> asksSomebody(it, action));
    return action;
  }

  private void asksSomebody(Value value, Action action) {
    switch (action) {
      case APPROVE -> requireOneWorkflow(value);
      case POLICY -> asksPolicies(value, false);
      case FORWARD, DENY -> {}
    }
  }

  private List<Rule> rules(Value value) {
    List<Rule> rules = new ArrayList<>();
    int place = 0;
    for (Value item : value.items()) {
      rule(++place, new Value("a rule", item.node(), item.report())).ifPresent(rules::add);
    }
    return rules;
  }

  private Optional<Rule> rule(int place, Value value) {
    Optional<Keys> keys =
        value.keys("match", "action", "source", "policy_id", "approval", "description", "public");
    return keys.flatMap(it -> rule(place, it));
  }

  private Optional<Rule> rule(int place, Keys keys) {
    Optional<Glob> match =
        keys.require("match", "match: a pattern, as in \"delete_*\"").flatMap(SourceReader::glob);
    Optional<Value> action = keys.require("action", ACTIONS);
    Optional<Action> word = action.flatMap(it -> it.word(Words.of(Action.class)));
    Set<String> of = keys.get("source").map(this::sourceIds).orElse(Set.of());
    Optional<String> policyId = keys.get("policy_id").flatMap(Value::label);
    Optional<String> workflow = keys.get("approval").flatMap(this::workflow);
    boolean isPublic = keys.get("public").flatMap(Value::flag).orElse(false);
    keys.get("description").ifPresent(Value::anyText);
    word.ifPresent(it -> fits(it, action.orElseThrow(), keys));
    if (match.isEmpty() || word.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Rule(
            place,
            match.get(),
            word.get(),
            of,
            policyId.orElse(null),
            asked(word.get(), workflow),
            isPublic));
  }

  /** An approval without a name means the only one there is. */
  private @Nullable String asked(Action action, Optional<String> named) {
    return action == Action.APPROVE && named.isEmpty() && workflows.size() == 1
        ? workflows.iterator().next()
        : named.orElse(null);
  }

  private void fits(Action action, Value value, Keys keys) {
    Optional<Value> policyId = keys.get("policy_id");
    Optional<Value> approval = keys.get("approval");
    switch (action) {
      case POLICY -> {
        keys.require("policy_id", "what policies find as context.policy_id");
        asksPolicies(value, approval.isPresent());
      }
      case APPROVE -> {
        warn(policyId, "is of no use without action: policy");
        if (approval.isEmpty()) {
          requireOneWorkflow(value);
        }
      }
      case FORWARD, DENY -> {
        warn(policyId, "is of no use without action: policy");
        warn(approval, "is of no use without action: approve or policy");
      }
    }
  }

  private static void warn(Optional<Value> value, String sentence) {
    value.ifPresent(it -> it.warning(sentence));
  }

  private void asksPolicies(Value value, boolean asksSomebodyToo) {
    if (!hasPolicies) {
      value.warning(
          "asks policies and there are none, so that all it matches is denied: name them in"
              + " 'cedar'");
    } else if (!asksSomebodyToo) {
      value.warning(
          "forwards what a policy permits and no person is asked: name an 'approval' to have one"
              + " asked, as ThoughtGate always does");
    }
  }

  private void requireOneWorkflow(Value value) {
    if (workflows.isEmpty()) {
      value.mistake("needs somebody to ask: define a workflow in 'approval'");
    } else if (workflows.size() > 1) {
      value.mistake(
          "could ask by several workflows: name %s in 'approval' of a rule"
              .formatted(Value.listed(workflows, "or")));
    }
  }

  private Set<String> sourceIds(Value value) {
    List<Value> items = value.node() instanceof SequenceNode ? value.items() : List.of(value);
    if (value.isEmptyList()) {
      value.mistake("must name at least one source, or be left out for all");
    }
    Set<String> ids = new LinkedHashSet<>();
    items.forEach(item -> item.text().ifPresent(id -> sourceId(id, item, ids)));
    return new HashSet<>(ids);
  }

  private void sourceId(String id, Value item, Set<String> ids) {
    if (!sources.contains(id) && !sources.isEmpty()) {
      item.mistake("must be the id of a source: " + Value.listed(new TreeSet<>(sources), "or"));
    } else if (!ids.add(id)) {
      item.mistake("is there twice: keep one");
    }
  }

  private Optional<String> workflow(Value value) {
    Optional<String> name = value.text();
    if (name.isPresent() && !workflows.contains(name.get())) {
      value.mistake(
          workflows.isEmpty()
              ? "names a workflow and there is none: define it in 'approval'"
              : "must be the name of a workflow: " + Value.listed(workflows, "or"));
    }
    return name;
  }
}
