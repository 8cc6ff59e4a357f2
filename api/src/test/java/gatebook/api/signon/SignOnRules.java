package gatebook.api.signon;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Principals;
import gatebook.command.rules.Rules;
import gatebook.command.rules.SignOn;
import java.util.List;
import java.util.Map;

/** Rules that have issuers of tokens and limits, and nothing else. */
public final class SignOnRules {
  private SignOnRules() {}

  public static Rules of(SignOn signOn, GatewayLimits limits) {
    return new Rules(
        "none",
        List.of(),
        Rules.NONE.governance(),
        Map.of(),
        Rules.NONE.policies(),
        List.of(),
        Principals.of(List.of(), signOn),
        List.of(),
        List.of(),
        Rules.NONE.redaction(),
        Rules.NONE.recording(),
        limits);
  }
}
