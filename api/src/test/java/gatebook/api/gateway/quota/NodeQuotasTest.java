package gatebook.api.gateway.quota;

import static gatebook.command.call.CallQuotas.QuotaResult.PRINCIPAL_FULL;
import static gatebook.command.call.CallQuotas.QuotaResult.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallQuotas.QuotaRequest;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.CallQuota.Rate;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.fault.Misdirected;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class NodeQuotasTest {
  private static final Instant LATE = Instant.parse("2026-01-31T23:59:58.001Z");
  private static final CallQuota BUDGET = quota("budget", false, null, null, 2L);
  private static final CallQuota SHARED_BUDGET = quota("shared", true, null, null, 2L);
  private static final CallQuota RUNNING = quota("running", false, null, 2, null);
  private static final CallQuota RATE = quota("rate", false, new Rate(1, 2), null, null);

  private final AtomicLong nanos = new AtomicLong();
  private final NodeQuotas quotas =
      new NodeQuotas(
          new RecordedBudgets(
              day -> Map.of(day, Map.of(new QuotaKey("recorded", "ada"), 1L)),
              InstantSource.fixed(LATE)),
          nanos::get);
  private int calls;

  @Test
  void aBudgetEndsAtMidnight() {
    assertThat(take("ada", BUDGET)).isEqualTo(TAKEN);
    assertThat(take("ada", BUDGET)).isEqualTo(TAKEN);
    assertThat(take("ada", BUDGET)).isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
    assertThat(take("eve", BUDGET)).isEqualTo(TAKEN);

    assertThat(take("ada", LATE.plusSeconds(2), false, BUDGET)).isEqualTo(TAKEN);
    assertThat(take("ada", LATE.plusSeconds(2), false, BUDGET)).isEqualTo(TAKEN);
    assertThat(take("ada", LATE.plusSeconds(2), false, BUDGET))
        .isEqualTo(refused(Misdirected.Limit.BUDGET, 86_400L));
    // a call that was received before midnight counts there
    assertThat(take("ada", BUDGET)).isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
  }

  @Test
  void principalsShareASharedQuota() {
    assertThat(take("ada", SHARED_BUDGET)).isEqualTo(TAKEN);
    assertThat(take("eve", SHARED_BUDGET)).isEqualTo(TAKEN);
    assertThat(take("joe", SHARED_BUDGET)).isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
  }

  @Test
  void aBudgetGoesOnFromWhatIsRecorded() {
    CallQuota recorded = quota("recorded", false, null, null, 2L);

    assertThat(take("ada", recorded)).isEqualTo(TAKEN);
    assertThat(take("ada", recorded)).isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
  }

  /** The count has the name of the quota, whatever else changes. */
  @Test
  void aCountIsKeptWhenItsQuotaChanges() {
    take("ada", BUDGET);
    take("ada", BUDGET);

    assertThat(take("ada", quota("budget", false, null, null, 3L))).isEqualTo(TAKEN);
    assertThat(take("ada", quota("budget", true, null, null, 4L))).isEqualTo(TAKEN);
    assertThat(take("eve", quota("budget", true, null, null, 4L)))
        .isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
  }

  @Test
  void anEndedCallLeavesItsPlaceToAnother() {
    UUID first = taken("ada", RUNNING);
    taken("ada", RUNNING);
    assertThat(take("ada", RUNNING)).isEqualTo(refused(Misdirected.Limit.CONCURRENCY, null));
    assertThat(take("eve", RUNNING)).isEqualTo(TAKEN);

    quotas.end(first);
    quotas.end(first);

    assertThat(take("ada", RUNNING)).isEqualTo(TAKEN);
    assertThat(take("ada", RUNNING)).isEqualTo(refused(Misdirected.Limit.CONCURRENCY, null));
  }

  @Test
  void aRateRefillsWithTime() {
    taken("ada", RATE);
    taken("ada", RATE);
    assertThat(take("ada", RATE)).isEqualTo(refused(Misdirected.Limit.RATE, 1L));

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));

    assertThat(take("ada", RATE)).isEqualTo(TAKEN);
  }

  @Test
  void aCallWithoutRoomInOneQuotaTakesFromNone() {
    taken("ada", RUNNING);
    taken("ada", RUNNING);

    for (int i = 0; i < 5; i++) {
      assertThat(take("ada", BUDGET, RATE, RUNNING))
          .isEqualTo(refused(Misdirected.Limit.CONCURRENCY, null));
    }

    assertThat(used())
        .containsOnly(
            Map.entry(new QuotaKey("recorded", "ada"), 1L),
            Map.entry(new QuotaKey("recorded", null), 1L),
            Map.entry(new QuotaKey("budget", "ada"), 0L),
            Map.entry(new QuotaKey("budget", null), 0L));
    assertThat(take("ada", BUDGET, RATE)).isEqualTo(TAKEN);
    assertThat(take("ada", BUDGET, RATE)).isEqualTo(TAKEN);
    // the longest wait is told
    assertThat(take("ada", BUDGET, RATE)).isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
  }

  @Test
  void aCallThatIsNotRecordedGivesBackAll() {
    UUID first = taken("ada", BUDGET, RATE, RUNNING);
    taken("ada", BUDGET, RATE, RUNNING);

    quotas.giveBack(first);
    quotas.giveBack(first);

    assertThat(take("ada", BUDGET, RATE, RUNNING)).isEqualTo(TAKEN);
    assertThat(take("ada", BUDGET)).isEqualTo(refused(Misdirected.Limit.BUDGET, 2L));
    assertThat(take("ada", RATE)).isEqualTo(refused(Misdirected.Limit.RATE, 1L));
    assertThat(take("ada", RUNNING)).isEqualTo(refused(Misdirected.Limit.CONCURRENCY, null));
  }

  @Test
  void aCallWithoutAHoldSlotTakesFromNoQuota() {
    assertThat(take("ada", LATE, true, RUNNING)).isEqualTo(TAKEN);
    assertThat(take("ada", LATE, true, RUNNING, BUDGET)).isEqualTo(PRINCIPAL_FULL);

    assertThat(quotas.heldCount()).isOne();
    assertThat(take("ada", RUNNING)).isEqualTo(TAKEN);
    assertThat(take("ada", RUNNING)).isEqualTo(refused(Misdirected.Limit.CONCURRENCY, null));
    assertThat(used()).doesNotContainValue(2L);
  }

  /** An earlier process held it, and counted it in the budget. */
  @Test
  void aCallTakenOverRunsBeyondTheLimit() {
    taken("ada", RUNNING);
    taken("ada", RUNNING);
    QuotaRequest held = request("ada", LATE, true, RUNNING, BUDGET);

    quotas.takeAnyway(held);

    assertThat(running()).containsExactly(Map.entry(new QuotaKey("running", "ada"), 3));
    assertThat(used()).doesNotContainKey(new QuotaKey("budget", "ada"));
    quotas.end(held.callId());
    assertThat(running()).containsExactly(Map.entry(new QuotaKey("running", "ada"), 2));
  }

  private Map<QuotaKey, Long> used() {
    return usage().usedToday();
  }

  private Map<QuotaKey, Integer> running() {
    return usage().running();
  }

  private NodeQuotas.Usage usage() {
    return quotas.usage(GivenQuotas.rules(BUDGET), LATE);
  }

  private UUID taken(String principal, CallQuota... of) {
    QuotaRequest request = request(principal, LATE, false, of);
    assertThat(quotas.take(request)).isEqualTo(TAKEN);
    return request.callId();
  }

  private QuotaResult take(String principal, CallQuota... of) {
    return take(principal, LATE, false, of);
  }

  private QuotaResult take(String principal, Instant at, boolean isHeld, CallQuota... of) {
    return quotas.take(request(principal, at, isHeld, of));
  }

  private QuotaRequest request(String principal, Instant at, boolean isHeld, CallQuota... of) {
    return new QuotaRequest(
        new UUID(0, calls++),
        principal,
        at,
        isHeld,
        List.of(of),
        GatewayLimits.DEFAULT.with(Limit.HELD_PER_PRINCIPAL_MAX, 1));
  }

  private static QuotaResult refused(Misdirected.Limit limit, @Nullable Long retryAfterSeconds) {
    return new QuotaResult.UsedUp(new Misdirected.RateLimited(limit, retryAfterSeconds));
  }

  private static CallQuota quota(
      String name,
      boolean isShared,
      @Nullable Rate rate,
      @Nullable Integer concurrentMax,
      @Nullable Long callsPerDay) {
    return new CallQuota(
        name, List.of(), Set.of(), List.of(), Set.of(), isShared, rate, concurrentMax, callsPerDay);
  }
}
