package gatebook.api.operator.redecide;

import gatebook.api.operator.redecide.RecordedRules.Search;
import gatebook.command.rules.file.RuleExcerpt;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEvent;
import gatebook.events.GateDenied;
import gatebook.events.call.Ruling;
import gatebook.query.call.CallHistory;
import gatebook.query.call.CallHistory.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Finds the excerpts of the rules that decided a call, as they were when they decided: the
 * governance rule and the policies. Of several decisions it is the last one.
 */
public final class DecisionExcerpts {

  private final CallHistory callHistory;
  private final RuleActivations ruleActivations;

  /**
   * The parts of the rules that decided a call.
   *
   * @param activatedAt RFC 3339, UTC
   * @param rule empty where the default action decided, or no rule was asked
   */
  public record Excerpt(
      String rulesHash,
      String activatedAt,
      Optional<RuleExcerpt> rule,
      List<PolicyExcerpt> policies) {
    public Excerpt {
      policies = List.copyOf(policies);
    }
  }

  /** A policy, by the id that the ruling names. */
  public record PolicyExcerpt(String id, String text) {}

  /** The outcome of a search. */
  public sealed interface ExcerptResult {
    record Found(Excerpt excerpt) implements ExcerptResult {}

    /** Nothing is recorded of the call. */
    record UnknownCall() implements ExcerptResult {}

    /** The sentence is for people. */
    record NotReadable(String sentence) implements ExcerptResult {}
  }

  private record RecordedRulings(long position, String rulesHash, List<Ruling> rulings) {}

  public DecisionExcerpts(CallHistory callHistory, RuleActivations ruleActivations) {
    this.callHistory = callHistory;
    this.ruleActivations = ruleActivations;
  }

  /** Reads and blocks. */
  public ExcerptResult find(UUID call) throws InterruptedException {
    List<Moment> moments = callHistory.of(call);
    if (moments.isEmpty()) {
      return new ExcerptResult.UnknownCall();
    }
    List<RecordedRulings> decisions =
        moments.stream().flatMap(moment -> decision(moment).stream()).toList();
    return decisions.isEmpty()
        ? new ExcerptResult.NotReadable("no gate has decided this call")
        : excerpt(decisions.getLast());
  }

  private static Optional<RecordedRulings> decision(Moment moment) {
    CallEvent event = moment.event().orElse(null);
    return switch (event) {
      case CallAdmitted it ->
          Optional.of(new RecordedRulings(moment.position(), it.rulesHash(), it.rulings()));
      case GateDenied it ->
          Optional.of(new RecordedRulings(moment.position(), it.rulesHash(), it.rulings()));
      case ApprovalRequested it ->
          Optional.of(new RecordedRulings(moment.position(), it.rulesHash(), it.rulings()));
      case null, default -> Optional.empty();
    };
  }

  private ExcerptResult excerpt(RecordedRulings decision) throws InterruptedException {
    return switch (new RecordedRules(ruleActivations)
        .search(decision.rulesHash(), decision.position())) {
      case Search.NotFound(var why) -> new ExcerptResult.NotReadable(why.message());
      case Search.Found(var rules, var activatedAt, var text) ->
          new ExcerptResult.Found(
              new Excerpt(
                  decision.rulesHash(),
                  activatedAt,
                  rule(decision, text),
                  policies(decision, rules.policies().texts())));
    };
  }

  private static Optional<RuleExcerpt> rule(RecordedRulings decision, String text) {
    return rulings(decision, Ruling.Governance.class)
        .flatMap(ruling -> Optional.ofNullable(ruling.rule()).stream())
        .findFirst()
        .flatMap(place -> RuleExcerpt.find(text, place));
  }

  private static List<PolicyExcerpt> policies(RecordedRulings decision, Map<String, String> texts) {
    List<PolicyExcerpt> policies = new ArrayList<>();
    rulings(decision, Ruling.Policy.class)
        .flatMap(ruling -> deciding(ruling, texts))
        .distinct()
        .forEach(id -> policies.add(new PolicyExcerpt(id, texts.getOrDefault(id, ""))));
    return policies;
  }

  /**
   * The ids of the policies that determined the ruling, and of those that failed; all ids where
   * none did, because then no policy permitted the call.
   */
  private static Stream<String> deciding(Ruling.Policy ruling, Map<String, String> texts) {
    boolean isUndetermined = ruling.reasons().isEmpty() && ruling.errors().isEmpty();
    return texts.keySet().stream()
        .filter(id ->
            isUndetermined
                || ruling.reasons().contains(id)
                || ruling.errors().stream().anyMatch(error -> error.startsWith(id + ": ")))
        .sorted();
  }

  private static <R extends Ruling> Stream<R> rulings(RecordedRulings decision, Class<R> gate) {
    return decision.rulings().stream().filter(gate::isInstance).map(gate::cast);
  }
}
