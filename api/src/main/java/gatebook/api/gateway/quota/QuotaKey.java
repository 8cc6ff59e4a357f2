package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota;
import org.jspecify.annotations.Nullable;

/**
 * What a quota counts together.
 *
 * @param quota its name
 * @param principal whose calls are counted; absent where those of all principals are
 */
public record QuotaKey(String quota, @Nullable String principal) {

  /** What counts a call of this principal. */
  static QuotaKey of(CallQuota quota, String principal) {
    return new QuotaKey(quota.name(), quota.isShared() ? null : principal);
  }
}
