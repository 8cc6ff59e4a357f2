package gatebook.api.operator.methods;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A quota of the rules in force and how it is used. A limit that it does not have is null.
 *
 * @param shared whether all principals are counted together
 * @param resetsAt when its daily budget begins anew; null where it has none
 * @param uses by principal, those with the most calls of the day first; one that has none is left
 *     out
 */
public record QuotaStatus(
    String name,
    boolean shared,
    @Nullable Long ratePerSecond,
    @Nullable Long rateBurst,
    @Nullable Integer concurrentMax,
    @Nullable Long callsPerDay,
    @Nullable String resetsAt,
    List<Use> uses) {
  public QuotaStatus {
    uses = List.copyOf(uses);
  }

  /**
   * The use of one principal, or of all together.
   *
   * @param principal null where all are counted together
   * @param running the calls that run now, at this node
   * @param usedToday the calls of the daily budget, at all nodes
   */
  public record Use(@Nullable String principal, long running, long usedToday) {}

  /** The same quota with the first uses of one principal, or of all where it is absent. */
  QuotaStatus withUses(@Nullable String principal, int most) {
    return new QuotaStatus(
        name,
        shared,
        ratePerSecond,
        rateBurst,
        concurrentMax,
        callsPerDay,
        resetsAt,
        uses.stream()
            .filter(use -> principal == null || shared || principal.equals(use.principal()))
            .limit(most)
            .toList());
  }
}
