package gatebook.command.gateway;

import gatebook.command.rules.file.RulesTexts;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Observes candidate rules: from now on they decide calls, too, without effect on any answer. Rules
 * of one hash are recorded once.
 *
 * @param engineVersion version of the engine that evaluates their policies
 */
public record ObserveRules(RulesTexts texts, String engineVersion) {

  @TargetEntityId
  public String hash() {
    return texts.hash();
  }
}
