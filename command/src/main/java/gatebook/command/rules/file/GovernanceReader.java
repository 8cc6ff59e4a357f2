package gatebook.command.rules.file;

import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Source;
import gatebook.events.call.Action;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the section {@code governance}, which refers to sources, workflows and policies. */
final class GovernanceReader {

  private static final String ACTIONS = "action: forward, approve, deny or policy";

  private final List<Source> sources;
  private final Set<String> idsOfSources;
  private final Set<String> workflows;
  private final boolean hasPolicies;

  /** The patterns of the rules, by their places. */
  private final Map<Integer, YamlValue> patterns = new HashMap<>();

  /** The places of the rules in mode observe. */
  private final Set<Integer> observed = new HashSet<>();

  /** The actions of rules, and the default one, by the places of the rules. */
  private final Map<Integer, YamlValue> actions = new HashMap<>();

  /**
   * @param sources all sources
   * @param workflows the names of all workflows
   * @param hasPolicies whether there is a section {@code cedar}
   */
  GovernanceReader(List<Source> sources, Set<String> workflows, boolean hasPolicies) {
    this.sources = List.copyOf(sources);
    this.idsOfSources =
        sources.stream()
            .map(Source::id)
            .filter(id -> !id.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    this.workflows = new TreeSet<>(workflows);
    this.hasPolicies = hasPolicies;
  }

  private Set<String> agents() {
    return sources.stream()
        .filter(source -> SourceFamily.AGENTS.includes(source.kind()))
        .map(Source::id)
        .collect(Collectors.toSet());
  }

  /**
   * The governance rules as read.
   *
   * @param inForce without those in mode observe
   * @param all with those in mode observe
   */
  record ReadGovernance(Governance inForce, Governance all) {
    static final ReadGovernance NONE = of(new Governance(Action.DENY, List.of()));

    static ReadGovernance of(Governance governance) {
      return new ReadGovernance(governance, governance);
    }
  }

  ReadGovernance read(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("defaults", "rules");
    Optional<YamlValue> defaultAction =
        keys.flatMap(it -> it.require("defaults", "defaults: {action: deny}"))
            .flatMap(it -> it.keys("action"))
            .flatMap(it -> it.require("action", ACTIONS));
    Governance all =
        new Governance(
            defaultAction(defaultAction),
            keys.flatMap(it -> it.get("rules")).map(this::rules).orElse(List.of()));
    Governance governance =
        new Governance(
            all.defaultAction(),
            all.rules().stream().filter(rule -> !observed.contains(rule.place())).toList());
    defaultAction.ifPresent(it -> actions.put(DenyOnlyCheck.DEFAULT, it));
    DenyOnlyCheck.places(governance, sources)
        .forEach(place ->
            warn(
                Optional.ofNullable(actions.get(place)),
                "forwards whatever no rule denies, so that only deny rules stand between callers"
                    + " and a tool: let rules or an allowlist name what may be called"));
    SkillRules.check(all, agents(), patterns);
    return new ReadGovernance(governance, all);
  }

  private Action defaultAction(Optional<YamlValue> value) {
    Action action = value.flatMap(it -> it.oneOf(EnumWords.of(Action.class))).orElse(Action.DENY);
    value.ifPresent(it -> checkDefault(it, action));
    return action;
  }

  private void checkDefault(YamlValue yamlValue, Action action) {
    switch (action) {
      case APPROVE -> requireOneWorkflow(yamlValue);
      case POLICY -> checkPolicies(yamlValue, false);
      case FORWARD, DENY -> {}
    }
  }

  private List<Rule> rules(YamlValue yamlValue) {
    List<Rule> rules = new ArrayList<>();
    int place = 0;
    for (YamlValue item : yamlValue.items()) {
      rule(++place, new YamlValue("a rule", item.node(), item.report())).ifPresent(rules::add);
    }
    return rules;
  }

  private Optional<Rule> rule(int place, YamlValue yamlValue) {
    Optional<StrictMapping> keys =
        yamlValue.keys(
            "match", "action", "source", "policy_id", "approval", "description", "public", "mode");
    return keys.flatMap(it -> rule(place, it));
  }

  private Optional<Rule> rule(int place, StrictMapping strictMapping) {
    Optional<YamlValue> pattern =
        strictMapping.require("match", "match: a pattern, as in \"delete_*\"");
    pattern.ifPresent(it -> patterns.put(place, it));
    Optional<Glob> match = pattern.flatMap(SourceReader::glob);
    Optional<YamlValue> action = strictMapping.require("action", ACTIONS);
    Optional<Action> word = action.flatMap(it -> it.oneOf(EnumWords.of(Action.class)));
    Set<String> ofSources = strictMapping.get("source").map(this::sourceIds).orElse(Set.of());
    Optional<String> policyId = strictMapping.get("policy_id").flatMap(YamlValue::label);
    Optional<String> workflow = strictMapping.get("approval").flatMap(this::workflow);
    boolean isPublic = strictMapping.get("public").flatMap(YamlValue::bool).orElse(false);
    strictMapping.get("description").ifPresent(YamlValue::anyText);
    strictMapping
        .get("mode")
        .flatMap(it -> it.oneOf(Map.of("observe", true)))
        .ifPresent(_ -> observed.add(place));
    word.ifPresent(it -> checkRule(it, action.orElseThrow(), strictMapping));
    action.ifPresent(it -> actions.put(place, it));
    if (match.isEmpty() || word.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Rule(
            place,
            match.get(),
            word.get(),
            ofSources,
            policyId.orElse(null),
            workflowName(word.get(), workflow),
            isPublic));
  }

  /** An approval that names no workflow uses the only one, if there is only one. */
  private @Nullable String workflowName(Action action, Optional<String> named) {
    return action == Action.APPROVE && named.isEmpty() && workflows.size() == 1
        ? workflows.iterator().next()
        : named.orElse(null);
  }

  private void checkRule(Action action, YamlValue yamlValue, StrictMapping strictMapping) {
    Optional<YamlValue> policyId = strictMapping.get("policy_id");
    Optional<YamlValue> approval = strictMapping.get("approval");
    switch (action) {
      case POLICY -> {
        strictMapping.require("policy_id", "what policies find as context.policy_id");
        checkPolicies(yamlValue, approval.isPresent());
      }
      case APPROVE -> {
        warn(policyId, "is of no use without action: policy");
        if (approval.isEmpty()) {
          requireOneWorkflow(yamlValue);
        }
      }
      case FORWARD, DENY -> {
        warn(policyId, "is of no use without action: policy");
        warn(approval, "is of no use without action: approve or policy");
      }
    }
  }

  private static void warn(Optional<YamlValue> value, String sentence) {
    value.ifPresent(it -> it.warning(sentence));
  }

  private void checkPolicies(YamlValue yamlValue, boolean hasApproval) {
    if (!hasPolicies) {
      yamlValue.warning(
          "asks policies and there are none, so that all it matches is denied: name them in"
              + " 'cedar'");
    } else if (!hasApproval) {
      yamlValue.warning(
          "forwards what a policy permits and no person is asked: name an 'approval' to have one"
              + " asked, as ThoughtGate always does");
    }
  }

  private void requireOneWorkflow(YamlValue yamlValue) {
    if (workflows.isEmpty()) {
      yamlValue.mistake("needs an approval workflow: define one in 'approval'");
    } else if (workflows.size() > 1) {
      yamlValue.mistake(
          "could use several workflows: name %s in 'approval' of a rule"
              .formatted(YamlValue.listed(workflows, "or")));
    }
  }

  /** One id of a source, or a list of them. */
  Set<String> sourceIds(YamlValue yamlValue) {
    List<YamlValue> items =
        yamlValue.node() instanceof SequenceNode ? yamlValue.items() : List.of(yamlValue);
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must name at least one source, or be left out for all");
    }
    Set<String> ids = new LinkedHashSet<>();
    items.forEach(item -> item.text().ifPresent(id -> sourceId(id, item, ids)));
    return new HashSet<>(ids);
  }

  private void sourceId(String id, YamlValue item, Set<String> ids) {
    if (!idsOfSources.contains(id) && !idsOfSources.isEmpty()) {
      item.mistake("must be the id of a source: " + YamlValue.listed(idsOfSources, "or"));
    } else if (!ids.add(id)) {
      item.mistake("is there twice: keep one");
    }
  }

  private Optional<String> workflow(YamlValue yamlValue) {
    Optional<String> name = yamlValue.text();
    if (name.isPresent() && !workflows.contains(name.get())) {
      yamlValue.mistake(
          workflows.isEmpty()
              ? "names a workflow and there is none: define it in 'approval'"
              : "must be the name of a workflow: " + YamlValue.listed(workflows, "or"));
    }
    return name;
  }
}
