package gatebook.command.activate;

import gatebook.command.Decision;
import gatebook.events.RulesActivated;
import gatebook.events.RulesRejected;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Decides since when rules are in force; those who read them have found them right or wrong. */
public final class Activating {

  private final InstantSource clock;

  public Activating(InstantSource clock) {
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

  /** The outcome is the time of the decision. */
  public Decision<Instant> decide(RejectRules command) {
    return new Decision<>(
        List.of(new RulesRejected(command.rulesHash(), command.activeHash(), command.mistakes())),
        clock.instant());
  }
}
