package gatebook.api.operator.redecide;

import gatebook.api.operator.redecide.RuleActivations.Activated;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.command.rules.file.RulesTexts;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected.Mistake;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the recorded rules by which calls were decided, and remembers those used last. */
public final class RecordedRules {

  /** Compiled rules are large. */
  private static final int REMEMBERED_MAX = 16;

  private final RuleActivations ruleActivations;
  private final Map<String, Search> searches =
      new LinkedHashMap<>(REMEMBERED_MAX, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Search> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /** The outcome of a search for rules. */
  public sealed interface Search {

    /** Without their secrets; {@code activatedAt} is RFC 3339, UTC. */
    record Found(Rules rules, String activatedAt, String text) implements Search {}

    record NotFound(NotRedecidable why) implements Search {}
  }

  public RecordedRules(RuleActivations ruleActivations) {
    this.ruleActivations = ruleActivations;
  }

  /** Finds the newest rules of this hash that came into force before a position. */
  public synchronized Search search(String rulesHash, long before) throws InterruptedException {
    Search known = searches.get(rulesHash);
    if (known != null) {
      return known;
    }
    Search search = newSearch(rulesHash, before);
    searches.put(rulesHash, search);
    return search;
  }

  private Search newSearch(String rulesHash, long before) throws InterruptedException {
    Optional<Activated> activated = ruleActivations.byHash(rulesHash, before);
    return activated
        .map(RecordedRules::read)
        .orElseGet(() ->
            new Search.NotFound(
                new NotRedecidable(
                    "rules-not-recorded",
                    "the journal has no rules of the hash %s before the call"
                        .formatted(rulesHash))));
  }

  private static Search read(Activated activated) {
    RulesActivated rules = activated.rules();
    RulesTexts rulesTexts =
        new RulesTexts(rules.rulesHash(), rules.rules(), rules.policies(), rules.schema());
    return switch (RulesFile.readRecorded(rulesTexts, InspectorRegistry.NAMES)) {
      case Reading.Valid(var read, _, _, _, _) ->
          new Search.Found(read, activated.at(), rules.rules());
      case Reading.Broken broken -> new Search.NotFound(unreadable(broken.mistakes().getFirst()));
    };
  }

  private static NotRedecidable unreadable(Mistake first) {
    String place = first.line() == null ? "" : " line %d,".formatted(first.line());
    return new NotRedecidable(
        "rules-not-readable",
        "this version cannot read the recorded rules: %s,%s %s"
            .formatted(first.file(), place, first.message()));
  }
}
