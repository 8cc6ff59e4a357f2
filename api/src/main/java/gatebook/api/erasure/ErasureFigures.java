package gatebook.api.erasure;

import gatebook.events.call.ErasureCause;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the erasures of this process. */
public final class ErasureFigures {
  private final Map<ErasureCause, LongAdder> completed = adders();
  private final Map<ErasureCause, LongAdder> refused = adders();

  private static Map<ErasureCause, LongAdder> adders() {
    Map<ErasureCause, LongAdder> adders = new EnumMap<>(ErasureCause.class);
    for (ErasureCause cause : ErasureCause.values()) {
      adders.put(cause, new LongAdder());
    }
    return adders;
  }

  void completed(ErasureCause cause) {
    adder(completed, cause).increment();
  }

  void refused(ErasureCause cause) {
    adder(refused, cause).increment();
  }

  public long countCompleted(ErasureCause cause) {
    return adder(completed, cause).sum();
  }

  public long countRefused(ErasureCause cause) {
    return adder(refused, cause).sum();
  }

  private static LongAdder adder(Map<ErasureCause, LongAdder> adders, ErasureCause cause) {
    return adders.getOrDefault(cause, new LongAdder());
  }
}
