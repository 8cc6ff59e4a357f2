package gatebook.command.gate;

import gatebook.command.gate.Governing.Governed;
import gatebook.command.gate.Visibility.Sight;
import gatebook.command.policy.Question;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The gates in the order in which a call meets them, as one function of the call and the rules. The
 * first that denies decides; later ones are not asked. Of several targets, each meets them all
 * before the next one does; a person is asked once, so that all who are to be asked are the same.
 *
 * <p>The clock only says how long each took; no verdict depends on it.
 */
public final class Gates {

  private final LongSupplier nanos;

  public Gates(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public Way way(Asked asked, Rules rules) {
    List<Asked> each = asked.each();
    Way all = walk(each.getFirst(), rules, new ArrayList<>(3));
    for (Asked other : each.subList(1, each.size())) {
      if (all instanceof Way.Shut) {
        return all;
      }
      all = both(all, other, walk(other, rules, new ArrayList<>(all.rulings())));
    }
    return all;
  }

  private Way walk(Asked asked, Rules rules, List<Ruling> rulings) {
    return new Walk(asked, rules, rulings).begin();
  }

  /** The rulings of the later way begin with those of the earlier. */
  private static Way both(Way before, Asked asked, Way way) {
    Source first = source(before);
    return switch (way) {
      case Way.Shut shut -> shut;
      case Way.Ask ask
          when before instanceof Way.Ask earlier && !earlier.workflow().equals(ask.workflow()) ->
          ask.unasked(asked, "others are asked about it: ask for it alone");
      case Way.Ask ask -> new Way.Ask(first, ask.workflow(), ask.rulings());
      case Way.Open open when before instanceof Way.Ask earlier ->
          new Way.Ask(first, earlier.workflow(), open.rulings());
      case Way.Open open -> new Way.Open(first, open.rulings());
    };
  }

  private static Source source(Way open) {
    return switch (open) {
      case Way.Open(var source, _) -> source;
      case Way.Ask(var source, _, _) -> source;
      case Way.Shut _ -> throw new IllegalStateException("nothing follows a denial");
    };
  }

  /** One call, with one target, before one set of rules. */
  private final class Walk {
    private final Asked asked;
    private final Rules rules;
    private final List<Ruling> rulings;

    Walk(Asked asked, Rules rules, List<Ruling> rulings) {
      this.asked = asked;
      this.rules = rules;
      this.rulings = rulings;
    }

    Way begin() {
      long from = nanos.getAsLong();
      Sight sight = Visibility.of(asked.target(), asked.on().family(), rules);
      rulings.add(sight.ruling(microsSince(from)));
      return switch (sight) {
        case Sight.Shown(var source, _) -> governed(source);
        case Sight.Hidden(var reason, var source, _) ->
            shut(
                source,
                new Denied.ToolNotExposed(asked.target(), idOf(source), asked.on().content()),
                reason);
      };
    }

    private Way governed(Source source) {
      long from = nanos.getAsLong();
      Governed governed =
          Governing.of(
              source.id(),
              source.ownName(asked.target()),
              rules.governance(),
              rules.workflows().keySet());
      rulings.add(governed.ruling(microsSince(from)));
      return switch (governed.verdict()) {
        case Verdict.Forward _ -> new Way.Open(source, rulings);
        case Verdict.Ask(var workflow) -> ask(source, workflow);
        case Verdict.Pass _ -> permitted(source, governed);
        case Verdict.Deny(var reason, _) -> shut(source, ruleDenied(governed.rule()), reason);
      };
    }

    private Fault ruleDenied(@Nullable Rule rule) {
      return rule == null
          ? new Denied.GovernanceRuleDenied(asked.target(), null, false, asked.on().content())
          : new Denied.GovernanceRuleDenied(
              asked.target(), rule.match().pattern(), rule.isPublic(), asked.on().content());
    }

    private Way permitted(Source source, Governed governed) {
      Rule rule = governed.rule();
      Ruling.Policy ruling = rules.policies().decide(question(source, governed));
      rulings.add(ruling);
      return switch (ruling.verdict()) {
        case Verdict.Deny(var reason, _) -> shut(source, policyDenied(ruling), reason);
        case Verdict.Pass _ when rule != null && rule.workflow() != null ->
            ask(source, rule.workflow());
        case Verdict.Pass _, Verdict.Forward _, Verdict.Ask _ -> new Way.Open(source, rulings);
      };
    }

    private Question question(Source source, Governed governed) {
      return new Question(
          asked.principal(),
          asked.method(),
          asked.on().content() == null,
          source.ownName(asked.target()),
          source.id(),
          asked.arguments(),
          governed.policyId(),
          asked.at());
    }

    private Fault policyDenied(Ruling.Policy ruling) {
      List<String> why = ruling.errors().isEmpty() ? ruling.reasons() : ruling.errors();
      return new Denied.PolicyDenied(
          asked.target(),
          ruling.policyId(),
          why.isEmpty() ? null : String.join(", ", why),
          asked.on().content());
    }

    private Way ask(Source source, String name) {
      Workflow workflow = rules.workflows().get(name);
      if (workflow != null) {
        return new Way.Ask(source, workflow, rulings);
      }
      rulings.add(
          new Ruling.Approval(
              new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null), name, null, null, 0));
      return shut(source, new Denied.WorkflowNotFound(name), DenialReason.WORKFLOW_NOT_FOUND);
    }

    private Way shut(@Nullable Source source, Fault fault, DenialReason reason) {
      return new Way.Shut(source, asked.target(), fault, reason, rulings);
    }
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }

  private long microsSince(long from) {
    return TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - from);
  }
}
