package gatebook.api.node;

import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.api.gateway.quota.NodeQuotas.Usage;
import gatebook.api.gateway.quota.QuotaKey;
import gatebook.api.operator.methods.QuotaStatus;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.Rules;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The statuses of the quotas in the rules, with their use. */
final class QuotaStatuses {
  private QuotaStatuses() {}

  static List<QuotaStatus> of(Rules rules, NodeQuotas quotas, Instant now) {
    if (rules.quotas().isEmpty()) {
      return List.of();
    }
    Usage usage = quotas.usage(rules, now);
    return rules.quotas().stream().map(quota -> of(quota, usage)).toList();
  }

  private static QuotaStatus of(CallQuota quota, Usage usage) {
    return new QuotaStatus(
        quota.name(),
        quota.isShared(),
        quota.rate() == null ? null : quota.rate().perSecond(),
        quota.rate() == null ? null : quota.rate().burst(),
        quota.concurrentMax(),
        quota.callsPerDay(),
        quota.callsPerDay() == null ? null : usage.resetsAt().toString(),
        Stream.of(usage.running(), usage.usedToday())
            .map(Map::keySet)
            .flatMap(keys -> keys.stream())
            .filter(key ->
                key.quota().equals(quota.name()) && quota.isShared() == (key.principal() == null))
            .distinct()
            .map(key -> use(quota, key, usage))
            .sorted(
                Comparator.comparingLong(QuotaStatus.Use::usedToday)
                    .thenComparingLong(QuotaStatus.Use::running)
                    .reversed())
            .toList());
  }

  private static QuotaStatus.Use use(CallQuota quota, QuotaKey key, Usage usage) {
    return new QuotaStatus.Use(
        key.principal(),
        usage.running().getOrDefault(key, 0),
        quota.callsPerDay() == null ? 0 : usage.usedToday().getOrDefault(key, 0L));
  }
}
