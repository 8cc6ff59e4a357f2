package gatebook.api.gateway.quota;

import static gatebook.command.call.CallQuotas.QuotaResult.FULL;
import static gatebook.command.call.CallQuotas.QuotaResult.PRINCIPAL_FULL;
import static gatebook.command.call.CallQuotas.QuotaResult.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class HoldSlotsTest {

  private static final GatewayLimits LIMITS = limits(2, 3);

  private final HoldSlots quota = new HoldSlots();

  @Test
  void principalHoldsNoMoreThanItsLimit() {
    assertThat(take(1, "ada")).isEqualTo(TAKEN);
    assertThat(take(2, "ada")).isEqualTo(TAKEN);
    assertThat(take(3, "ada")).isEqualTo(PRINCIPAL_FULL);
    assertThat(take(4, "eve")).isEqualTo(TAKEN);
    assertThat(quota.count()).isEqualTo(3);
  }

  @Test
  void fullQuotaRefusesEveryPrincipal() {
    take(1, "ada");
    take(2, "ada");
    take(3, "eve");

    assertThat(take(4, "eve")).isEqualTo(FULL);
    assertThat(take(5, "ada")).isEqualTo(FULL);
    assertThat(quota.count()).isEqualTo(3);
  }

  @Test
  void releasedQuotaIsFreeForEveryPrincipal() {
    take(1, "ada");
    take(2, "ada");
    take(3, "eve");

    quota.release(call(1));

    assertThat(take(4, "ada")).isEqualTo(TAKEN);
    assertThat(take(5, "ada")).isEqualTo(FULL);
  }

  @Test
  void quotaIsReleasedOnce() {
    take(1, "ada");
    take(2, "ada");

    quota.release(call(1));
    quota.release(call(1));
    quota.release(call(9));

    assertThat(quota.count()).isEqualTo(1);
    assertThat(take(3, "ada")).isEqualTo(TAKEN);
    assertThat(take(4, "ada")).isEqualTo(PRINCIPAL_FULL);
  }

  @Test
  void releasedQuotaGoesToTheCallThatWaitsLongest() {
    take(1, "ada");
    take(2, "ada");
    CompletableFuture<Boolean> first = await(3, "ada");
    CompletableFuture<Boolean> second = await(4, "ada");
    CompletableFuture<Boolean> other = await(5, "eve");

    assertThat(other.join()).isTrue();
    assertThat(first).isNotDone();
    quota.release(call(1));

    assertThat(first.join()).isTrue();
    assertThat(take(3, "ada")).isEqualTo(TAKEN);
    assertThat(take(6, "ada")).isEqualTo(FULL);
    assertThat(second).isNotDone();
  }

  @Test
  void callThatGivesUpTakesNoQuota() {
    take(1, "ada");
    take(2, "ada");
    CompletableFuture<Boolean> first = await(3, "ada");
    CompletableFuture<Boolean> second = await(4, "ada");

    quota.giveUp(call(3));
    quota.giveUp(call(9));
    quota.release(call(1));

    assertThat(first.join()).isFalse();
    assertThat(second.join()).isTrue();
  }

  @Test
  void newLimitsServeThoseThatWait() {
    take(1, "ada");
    take(2, "ada");
    AtomicReference<GatewayLimits> limits = new AtomicReference<>(LIMITS);
    CompletableFuture<Boolean> waiting = quota.await(call(3), "ada", limits::get);

    limits.set(limits(3, 3));
    quota.handOut();

    assertThat(waiting.join()).isTrue();
  }

  private CompletableFuture<Boolean> await(int call, String principal) {
    return quota.await(call(call), principal, () -> LIMITS);
  }

  private QuotaResult take(int call, String principal) {
    return quota.take(call(call), principal, LIMITS);
  }

  private static UUID call(int number) {
    return new UUID(0, number);
  }

  private static GatewayLimits limits(int perPrincipalMax, int max) {
    return GatewayLimits.DEFAULT
        .with(Limit.HELD_PER_PRINCIPAL_MAX, perPrincipalMax)
        .with(Limit.HELD_MAX, max);
  }
}
