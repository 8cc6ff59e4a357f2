package gatebook.api.gateway.quota;

import java.time.InstantSource;
import java.util.Map;

/** Quotas of a node whose journal has counted nothing today. */
public final class GivenQuotas {
  private GivenQuotas() {}

  public static NodeQuotas quotas() {
    return new NodeQuotas(
        new RecordedBudgets(_ -> Map.of(), InstantSource.system()), System::nanoTime);
  }
}
