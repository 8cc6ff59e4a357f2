package gatebook.command.call;

import gatebook.command.call.SettleCall.Ending;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Rules;
import gatebook.events.CallAnswered;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.keys.ContentOwner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Decides how a call is settled; the clock only measures durations. */
public final class SettleDecider {

  private final PayloadRecorders payloadRecorders;
  private final FaultTranslator faultTranslator;
  private final InstantSource clock;

  public SettleDecider(
      PayloadRecorders payloadRecorders, FaultTranslator faultTranslator, InstantSource clock) {
    this.payloadRecorders = payloadRecorders;
    this.faultTranslator = faultTranslator;
    this.clock = clock;
  }

  public Decision<CallOutcome> decide(SettleCall call, Rules rules) {
    return switch (call.ending()) {
      case Ending.Result result -> answered(call, result, rules);
      case Ending.Failure failure -> failed(call, failure);
    };
  }

  private Decision<CallOutcome> answered(SettleCall call, Ending.Result result, Rules rules) {
    return new Decision<>(
        List.of(
            new CallAnswered(
                call.callId(),
                result.outcome(),
                payloadRecorders
                    .of(rules, ContentOwner.ofCall(call.principal(), call.callId()))
                    .keepResult(result.text()),
                call.attempts(),
                call.upstreamMillis(),
                totalMillis(call),
                result.missing().isEmpty() ? null : result.missing(),
                result.stream())),
        new CallOutcome.Answered(
            result.outcome() == CallAnswered.Outcome.TOOL_ERROR, result.text()));
  }

  private Decision<CallOutcome> failed(SettleCall call, Ending.Failure failure) {
    Fault fault = failure.fault();
    ErrorResponse errorResponse =
        faultTranslator.translate(fault, call.dialectVersion(), call.correlationId());
    Fault scrubbed = FaultScrubber.scrub(fault, faultTranslator.nameScrubber());
    String target = call.target();
    return new Decision<>(
        List.of(
            new ErrorTranslated(
                call.callId(),
                target == null ? null : faultTranslator.nameScrubber().scrub(target),
                scrubbed,
                faultTranslator.recorded(
                    errorResponse, fault, call.dialectVersion(), call.correlationId()),
                call.attempts(),
                call.upstreamMillis(),
                totalMillis(call),
                failure.firstCallId())),
        new CallOutcome.Failed(scrubbed, errorResponse));
  }

  private long totalMillis(SettleCall call) {
    return Math.max(0, Duration.between(call.receivedAt(), clock.instant()).toMillis());
  }
}
