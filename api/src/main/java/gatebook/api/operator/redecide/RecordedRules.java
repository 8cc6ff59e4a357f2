package gatebook.api.operator.redecide;

import gatebook.api.operator.redecide.RuleActivations.Activated;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.command.rules.file.RulesTexts;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected.Mistake;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The rules by which one call was decided, each read once from what was recorded of them. */
final class RecordedRules {

  private final RuleActivations ruleActivations;
  private final Map<String, Found> found = new HashMap<>();

  /** What looking for rules ends in. */
  sealed interface Found {

    /** Without their secrets; {@code activatedAt} is RFC 3339, UTC. */
    record Read(Rules rules, String activatedAt) implements Found {}

    record Not(NotRedecidable why) implements Found {}
  }

  RecordedRules(RuleActivations ruleActivations) {
    this.ruleActivations = ruleActivations;
  }

  /** {@code before} is a position before which they came into force. */
  Found of(String rulesHash, long before) {
    return found.computeIfAbsent(rulesHash, hash -> find(hash, before));
  }

  private Found find(String rulesHash, long before) {
    Optional<Activated> activated = ruleActivations.byHash(rulesHash, before);
    return activated
        .map(RecordedRules::read)
        .orElseGet(() ->
            new Found.Not(
                new NotRedecidable(
                    "rules-not-recorded",
                    "no rules of the hash %s are in the journal before the call"
                        .formatted(rulesHash))));
  }

  private static Found read(Activated activated) {
    RulesActivated rules = activated.rules();
    RulesTexts rulesTexts =
        new RulesTexts(rules.rulesHash(), rules.rules(), rules.policies(), rules.schema());
    return switch (RulesFile.recorded(rulesTexts, InspectorRegistry.NAMES)) {
      case Reading.Read(var read, _, _, _) -> new Found.Read(read, activated.at());
      case Reading.Broken broken -> new Found.Not(unreadable(broken.mistakes().getFirst()));
    };
  }

  private static NotRedecidable unreadable(Mistake first) {
    String place = first.line() == null ? "" : " line %d,".formatted(first.line());
    return new NotRedecidable(
        "rules-not-readable",
        "this version cannot read the rules of then: %s,%s %s"
            .formatted(first.file(), place, first.message()));
  }
}
