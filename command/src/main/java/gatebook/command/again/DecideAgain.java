package gatebook.command.again;

import gatebook.command.Tongue;
import gatebook.command.receive.Aim;
import gatebook.command.receive.Judgement;
import gatebook.command.receive.Judging;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a recorded call again, as it was decided when it came in. A function of the call and the
 * rules: what was a fact then (how many calls there were, what a person or a source said) is none
 * of its business.
 */
public final class DecideAgain {

  private final Judging judging;

  public DecideAgain(Judging judging) {
    this.judging = judging;
  }

  /**
   * The command that a recorded call once was.
   *
   * @param at when the gates are asked
   */
  public static ReceiveCall command(
      CallReceived call,
      Aim aim,
      @Nullable String params,
      @Nullable String arguments,
      Instant at,
      Rules rules) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        new Tongue(call.dialect(), call.dialectVersion()),
        call.transport(),
        at,
        call.method(),
        call.rpcId(),
        call.principal(),
        aim,
        params,
        arguments,
        null,
        rules);
  }

  public Decided decide(ReceiveCall call) {
    return switch (call.aim()) {
      case Aim.Act act -> act(call, act);
      case Aim.Ask() -> ungoverned(new Outcome.AnsweredHere());
      case Aim.Unservable(var fault) -> ungoverned(new Outcome.Unservable(fault.kind()));
    };
  }

  private static Decided ungoverned(Outcome outcome) {
    return new Decided(outcome, List.of(), false);
  }

  private Decided act(ReceiveCall call, Aim.Act act) {
    Judgement judgement = judging.of(call.asked(act), call.isNotification(), call.rules());
    return new Decided(
        outcome(judgement), judgement.rulings(), looksAtArguments(judgement, call.rules()));
  }

  private static Outcome outcome(Judgement judgement) {
    return switch (judgement) {
      case Judgement.Forward(var source, _) -> new Outcome.Forwarded(source.id());
      case Judgement.Ask(_, var workflow, _) -> new Outcome.Held(workflow.name());
      case Judgement.Denied(_, _, _, var reason, var rulings) ->
          new Outcome.Denied(rulings.getLast().gate(), reason);
      case Judgement.Withheld(_, var fault, _) -> withheld(fault);
    };
  }

  private static Outcome withheld(Fault fault) {
    return fault instanceof InspectionFailed(var inspector, _)
        ? new Outcome.Withheld(inspector)
        : new Outcome.Unservable(fault.kind());
  }

  /** Policies may, and inspectors do. */
  private static boolean looksAtArguments(Judgement judgement, Rules rules) {
    boolean inspected = !(judgement instanceof Judgement.Denied) && !rules.inspectors().isEmpty();
    return inspected || judgement.rulings().stream().anyMatch(Ruling.Policy.class::isInstance);
  }
}
