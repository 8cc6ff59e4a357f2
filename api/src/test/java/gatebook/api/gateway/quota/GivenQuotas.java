package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota;
import gatebook.command.rules.Rules;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Quotas of a node whose journal has counted nothing today. */
public final class GivenQuotas {
  private GivenQuotas() {}

  public static NodeQuotas quotas() {
    return new NodeQuotas(
        new RecordedBudgets(_ -> Map.of(), InstantSource.system()), System::nanoTime);
  }

  /** Rules with these quotas, which forward nothing. */
  static Rules rules(CallQuota... quotas) {
    Rules none = Rules.NONE;
    return new Rules(
        none.hash(),
        none.sources(),
        none.governance(),
        none.workflows(),
        none.policies(),
        none.inspectors(),
        none.principals(),
        none.operators(),
        none.webhooks(),
        none.redaction(),
        none.recording(),
        none.limits(),
        List.of(quotas),
        none.legalHolds(),
        Optional.empty(),
        Optional.empty(),
        none.checkpoints(),
        null);
  }
}
