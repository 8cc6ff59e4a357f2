package gatebook.command.gateway;

import gatebook.command.call.Decision;
import gatebook.command.redact.Scrubber;
import gatebook.events.RulesActivated;
import gatebook.events.RulesObserved;
import gatebook.events.RulesRejected;
import gatebook.events.RulesRejected.Mistake;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Decides the activation or rejection of rules, which were validated before. */
public final class ActivationDecider {

  private final InstantSource clock;

  public ActivationDecider(InstantSource clock) {
    this.clock = clock;
  }

  /** The outcome is the time of the decision. */
  public Decision<Instant> decide(ActivateRules command) {
    return new Decision<>(
        List.of(
            new RulesActivated(
                command.texts().hash(),
                command.texts().rules(),
                command.texts().policies(),
                command.texts().schema(),
                command.engineVersion())),
        clock.instant());
  }

  /** The outcome is the time of the decision. What was recorded already is not recorded again. */
  public Decision<Instant> decide(ObserveRules command, boolean isRecorded) {
    return new Decision<>(
        isRecorded
            ? List.of()
            : List.of(
                new RulesObserved(
                    command.texts().hash(),
                    command.texts().rules(),
                    command.texts().policies(),
                    command.texts().schema(),
                    command.engineVersion())),
        clock.instant());
  }

  /**
   * The outcome is the time of the decision. Mistakes are scrubbed, since they may quote secrets
   * that the rules have in plain text.
   */
  public Decision<Instant> decide(RejectRules command) {
    List<Mistake> mistakes = command.mistakes().stream().map(ActivationDecider::scrubbed).toList();
    return new Decision<>(
        List.of(new RulesRejected(command.rulesHash(), command.activeHash(), mistakes)),
        clock.instant());
  }

  private static Mistake scrubbed(Mistake mistake) {
    return new Mistake(
        mistake.file(), mistake.line(), mistake.column(), Scrubber.NAMES.scrub(mistake.message()));
  }
}
