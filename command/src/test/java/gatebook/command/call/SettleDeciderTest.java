package gatebook.command.call;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.DIALECT_VERSION;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.RECORDERS;
import static gatebook.command.GivenCall.TOOK_MILLIS;
import static gatebook.command.GivenCall.TRANSLATOR;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.recorders;
import static gatebook.command.GivenSources.rules;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.SettleCall.Ending;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.Rules;
import gatebook.events.CallAnswered;
import gatebook.events.CallAnswered.Outcome;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.KeptContent;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.UpstreamFault;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SettleDeciderTest {
  private static final Rules RULES = rules(List.of());

  private static final String RESULT = "{\"content\":[]}";

  @ParameterizedTest
  @EnumSource
  void aResultIsRecordedWithItsOutcome(Outcome outcome) {
    Ending ending = new Ending.Result(outcome, RESULT);

    assertThat(decider(CLOCK).decide(settle(ending, "read", 2, 5L), RULES))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAnswered(
                        CALL, outcome, RECORDER.keepResult(RESULT), 2, 5L, TOOK_MILLIS)),
                new CallOutcome.Answered(outcome == Outcome.TOOL_ERROR, RESULT)));
  }

  @Test
  void anAnswerOfTheGatewayHasNoAttempt() {
    Ending ending = new Ending.Result(Outcome.SUCCESS, "{}");

    assertThat(decider(CLOCK).decide(settle(ending, null, 0, null), RULES))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAnswered(
                        CALL, Outcome.SUCCESS, RECORDER.keepResult("{}"), 0, null, TOOK_MILLIS)),
                new CallOutcome.Answered(false, "{}")));
  }

  @Test
  void anAcceptedNotificationHasNoResult() {
    PayloadRecorders payloadRecorders = recorders(new RecordRules(false, true, 1_024));
    SettleDecider settleDecider = new SettleDecider(payloadRecorders, TRANSLATOR, CLOCK);
    Ending ending = new Ending.Result(Outcome.SUCCESS, "");

    assertThat(settleDecider.decide(settle(ending, "read", 1, 5L), RULES))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAnswered(
                        CALL,
                        Outcome.SUCCESS,
                        new KeptContent(0, RECORDER.digest(""), null, null),
                        1,
                        5L,
                        TOOK_MILLIS)),
                new CallOutcome.Answered(false, "")));
  }

  @Test
  void aFaultIsRecordedWithItsErrorResponse() {
    Fault fault = new UpstreamFault.UpstreamTimeout("s", "http://h", 30_000);

    assertThat(decider(CLOCK).decide(settle(new Ending.Failure(fault), "read", 3, 30_000L), RULES))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new ErrorTranslated(
                        CALL, "read", fault, errorResponse(fault), 3, 30_000L, TOOK_MILLIS)),
                new CallOutcome.Failed(fault, errorResponse(fault))));
  }

  @Test
  void aClockSetBackGivesNoNegativeDuration() {
    Fault fault = new Misdirected.MethodNotFound("m");
    Instant before = NOON.minusMillis(1);

    assertThat(
            decider(InstantSource.fixed(before))
                .decide(settle(new Ending.Failure(fault), null, 0, null), RULES)
                .events())
        .containsExactly(new ErrorTranslated(CALL, null, fault, errorResponse(fault), 0, null, 0));
  }

  private static SettleDecider decider(InstantSource clock) {
    return new SettleDecider(RECORDERS, TRANSLATOR, clock);
  }

  private static SettleCall settle(
      Ending ending, @Nullable String target, int attempts, @Nullable Long upstreamMillis) {
    return new SettleCall(
        CALL,
        "ada",
        "c-1",
        DIALECT_VERSION,
        NOON,
        target,
        ending,
        attempts,
        upstreamMillis,
        RULES.hash());
  }
}
