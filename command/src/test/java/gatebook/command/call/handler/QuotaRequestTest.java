package gatebook.command.call.handler;

import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rule;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenCall;
import gatebook.command.GivenSources;
import gatebook.command.call.CallQuotas.QuotaRequest;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.Decision;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.Glob;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import gatebook.events.fault.Misdirected;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls take from quotas by the decision about them, and what the journal has of it. */
final class QuotaRequestTest {
  private static final CallQuota BUDGET = quota("budget", "*", null, 9L);
  private static final CallQuota RUNNING = quota("running", "*", 2, null);
  private static final CallQuota OTHER = quota("other", "other", 2, 9L);
  private static final Rules WITHOUT_QUOTAS =
      GivenSources.rules(
          List.of(source("s", "", expose(Exposure.BLOCKLIST, "hidden"))),
          rule(1, "drop", Action.DENY, null),
          rule(2, "deploy", Action.APPROVE, "ops"));
  private static final Rules RULES =
      GivenSources.withQuotas(WITHOUT_QUOTAS, BUDGET, RUNNING, OTHER);

  @ParameterizedTest
  @ValueSource(strings = {"read", "deploy"})
  void aCallThatGoesOnTakesFromItsQuotas(String tool) {
    ReceiveCall call = call(tool, RULES);

    QuotaRequest request = Objects.requireNonNull(request(call, RULES));

    assertThat(request)
        .isEqualTo(
            new QuotaRequest(
                call.callId(),
                "ada",
                call.receivedAt(),
                tool.equals("deploy"),
                List.of(BUDGET, RUNNING),
                RULES.limits()));
    assertThat(budgets(call, QuotaResult.TAKEN)).containsExactly("budget");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hidden", "drop"})
  void aDeniedCallTakesNothing(String tool) {
    assertThat(request(call(tool, RULES), RULES)).isNull();
    assertThat(budgets(call(tool, RULES), QuotaResult.TAKEN)).isNull();
  }

  @Test
  void aCallAnsweredHereTakesNothing() {
    assertThat(request(call(new Intent.AnswerHere(), "1", RULES), RULES)).isNull();
  }

  @Test
  void aRefusedCallIsCountedByNoBudget() {
    QuotaResult usedUp =
        new QuotaResult.UsedUp(new Misdirected.RateLimited(Misdirected.Limit.RATE, 1L));

    assertThat(budgets(call("read", RULES), usedUp)).isNull();
    assertThat(budgets(call("deploy", RULES), usedUp)).isNull();
  }

  @Test
  void withoutQuotasOnlyAHeldCallTakes() {
    assertThat(request(call("read", WITHOUT_QUOTAS), WITHOUT_QUOTAS)).isNull();
    assertThat(Objects.requireNonNull(request(call("deploy", WITHOUT_QUOTAS), WITHOUT_QUOTAS)))
        .extracting(QuotaRequest::isHeld, QuotaRequest::quotas)
        .containsExactly(true, List.of());
  }

  private static @Nullable QuotaRequest request(ReceiveCall call, Rules rules) {
    return QuotaRequest.of(call, decision(call, rules, QuotaResult.TAKEN), rules);
  }

  private static @Nullable List<String> budgets(ReceiveCall call, QuotaResult quotaResult) {
    return ((CallReceived) decision(call, RULES, quotaResult).events().getFirst()).budgets();
  }

  private static Decision<ReceiveOutcome> decision(
      ReceiveCall call, Rules rules, QuotaResult quotaResult) {
    return GivenCall.receiveDecider(
            GivenCall.INSPECTORS, GivenCall.recorders(RecordRules.DEFAULT), GivenCall.CLOCK)
        .decide(call, rules, quotaResult);
  }

  private static CallQuota quota(
      String name, String tools, @Nullable Integer concurrentMax, @Nullable Long callsPerDay) {
    return new CallQuota(
        name,
        List.of(),
        Set.of(),
        List.of(new Glob(tools)),
        Set.of(),
        false,
        null,
        concurrentMax,
        callsPerDay);
  }
}
