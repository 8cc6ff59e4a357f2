package gatebook.command.call;

import static gatebook.command.Given.rules;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.KEEPER;
import static gatebook.command.GivenCall.KEEPERS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.TELLING;
import static gatebook.command.GivenCall.TONGUE;
import static gatebook.command.GivenCall.TOOK_MILLIS;
import static gatebook.command.GivenCall.told;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.SettleCall.Ending;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RecordRules;
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

  private static final String RESULT = "{\"content\":[]}";

  @ParameterizedTest
  @EnumSource
  void aResultIsRecordedWithWhatItSaysOfItself(Outcome outcome) {
    Ending ending = new Ending.Result(outcome, RESULT, rules(List.of()));

    assertThat(settling(CLOCK).decide(settle(ending, "read", 2, 5L)))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAnswered(CALL, outcome, KEEPER.keepResult(RESULT), 2, 5L, TOOK_MILLIS)),
                new SettleOutcome.Answered()));
  }

  @Test
  void whatIsAnsweredHereTookNoAttempt() {
    Ending ending = new Ending.Result(Outcome.SUCCESS, "{}", rules(List.of()));

    assertThat(settling(CLOCK).decide(settle(ending, null, 0, null)))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAnswered(
                        CALL, Outcome.SUCCESS, KEEPER.keepResult("{}"), 0, null, TOOK_MILLIS)),
                new SettleOutcome.Answered()));
  }

  @Test
  void ofANotificationThatWasTakenThereIsNoResultToKeep() {
    PayloadRecorder payloadRecorder =
        KEEPER.under(Scrubber.BUILT_IN, new RecordRules(false, true, 1_024));
    SettleDecider settleDecider = new SettleDecider(_ -> payloadRecorder, TELLING, CLOCK);
    Ending ending = new Ending.Result(Outcome.SUCCESS, "", rules(List.of()));

    assertThat(settleDecider.decide(settle(ending, "read", 1, 5L)))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAnswered(
                        CALL,
                        Outcome.SUCCESS,
                        new KeptContent(0, KEEPER.digest(""), null, null),
                        1,
                        5L,
                        TOOK_MILLIS)),
                new SettleOutcome.Answered()));
  }

  @Test
  void aFaultIsRecordedTogetherWithWhatIsToldOfIt() {
    Fault fault = new UpstreamFault.UpstreamTimeout("s", "http://h", 30_000);

    assertThat(settling(CLOCK).decide(settle(new Ending.Failure(fault), "read", 3, 30_000L)))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new ErrorTranslated(CALL, "read", fault, told(fault), 3, 30_000L, TOOK_MILLIS)),
                new SettleOutcome.Failed(fault, told(fault))));
  }

  @Test
  void aClockThatWentBackTookNoTime() {
    Fault fault = new Misdirected.MethodNotFound("m");
    Instant before = NOON.minusMillis(1);

    assertThat(
            settling(InstantSource.fixed(before))
                .decide(settle(new Ending.Failure(fault), null, 0, null))
                .events())
        .containsExactly(new ErrorTranslated(CALL, null, fault, told(fault), 0, null, 0));
  }

  private static SettleDecider settling(InstantSource clock) {
    return new SettleDecider(KEEPERS, TELLING, clock);
  }

  private static SettleCall settle(
      Ending ending, @Nullable String target, int attempts, @Nullable Long upstreamMillis) {
    return new SettleCall(CALL, "c-1", TONGUE, NOON, target, ending, attempts, upstreamMillis);
  }
}
