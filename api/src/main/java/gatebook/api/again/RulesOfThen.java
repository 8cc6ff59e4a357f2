package gatebook.api.again;

import gatebook.api.again.Activations.Activated;
import gatebook.command.inspect.Inspectors;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.command.rules.file.Texts;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected.Mistake;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The rules by which one call was decided, each read once from what was recorded of them. */
final class RulesOfThen {

  private final Activations activations;
  private final Map<String, Found> found = new HashMap<>();

  /** What looking for rules ends in. */
  sealed interface Found {

    /** Without their secrets; {@code activatedAt} is RFC 3339, UTC. */
    record Read(Rules rules, String activatedAt) implements Found {}

    record Not(NotReplayable why) implements Found {}
  }

  RulesOfThen(Activations activations) {
    this.activations = activations;
  }

  /** {@code before} is a position before which they came into force. */
  Found of(String rulesHash, long before) {
    return found.computeIfAbsent(rulesHash, hash -> find(hash, before));
  }

  private Found find(String rulesHash, long before) {
    Optional<Activated> activated = activations.byHash(rulesHash, before);
    return activated
        .map(RulesOfThen::read)
        .orElseGet(() ->
            new Found.Not(
                new NotReplayable(
                    "rules-not-recorded",
                    "no rules of the hash %s are in the journal before the call"
                        .formatted(rulesHash))));
  }

  private static Found read(Activated activated) {
    RulesActivated rules = activated.rules();
    Texts texts = new Texts(rules.rulesHash(), rules.rules(), rules.policies(), rules.schema());
    return switch (RulesFile.recorded(texts, Inspectors.NAMES)) {
      case Reading.Read(var read, _, _, _) -> new Found.Read(read, activated.at());
      case Reading.Broken broken -> new Found.Not(unreadable(broken.mistakes().getFirst()));
    };
  }

  private static NotReplayable unreadable(Mistake first) {
    String place = first.line() == null ? "" : " line %d,".formatted(first.line());
    return new NotReplayable(
        "rules-not-readable",
        "this version cannot read the rules of then: %s,%s %s"
            .formatted(first.file(), place, first.message()));
  }
}
