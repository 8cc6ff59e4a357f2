package gatebook.command.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.Decision;
import gatebook.command.rules.file.RulesTexts;
import gatebook.events.RulesActivated;
import gatebook.events.RulesActivated.PolicyText;
import gatebook.events.RulesRejected;
import gatebook.events.RulesRejected.Mistake;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ActivationDeciderTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final ActivationDecider activationDecider = new ActivationDecider(() -> NOW);

  @Test
  void rulesAreActivatedWithAllTheirTexts() {
    List<PolicyText> policies = List.of(new PolicyText("a.cedar", "permit(…);"));

    assertThat(
            activationDecider.decide(
                new ActivateRules(
                    new RulesTexts("sha256:a", "schema: 1", policies, "entity A;"), "4")))
        .isEqualTo(
            new Decision<>(
                List.of(new RulesActivated("sha256:a", "schema: 1", policies, "entity A;", "4")),
                NOW));
  }

  @Test
  void brokenRulesAreRejectedWithEveryMistake() {
    List<Mistake> mistakes = List.of(new Mistake("rules.yaml", 1, 2, "'schema' must be 1"));

    assertThat(activationDecider.decide(new RejectRules("sha256:b", "sha256:a", mistakes)))
        .isEqualTo(
            new Decision<>(List.of(new RulesRejected("sha256:b", "sha256:a", mistakes)), NOW));
  }

  @Test
  void aSecretInAMistakeIsScrubbed() {
    String key = "ghp_" + "a1B2c3D4e5F6".repeat(3);
    RejectRules command =
        new RejectRules(
            "sha256:b", null, List.of(new Mistake("r", 1, 1, "'%s' is no key".formatted(key))));

    assertThat(activationDecider.decide(command).events())
        .containsExactly(
            new RulesRejected(
                "sha256:b", null, List.of(new Mistake("r", 1, 1, "'[token]' is no key"))));
  }
}
