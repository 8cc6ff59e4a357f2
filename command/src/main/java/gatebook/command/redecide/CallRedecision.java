package gatebook.command.redecide;

import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CallVerdict;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redecides a recorded call as it was decided on receipt. A pure function of the call and the
 * rules: what was a fact then (how many calls were held, what a person or a source said) plays no
 * part.
 */
public final class CallRedecision {

  private final CallEvaluation callEvaluation;

  public CallRedecision(CallEvaluation callEvaluation) {
    this.callEvaluation = callEvaluation;
  }

  /**
   * A redecision by the built-in gates and inspectors.
   *
   * @param scrubbers the scrubber of recorded rules, which are needed seldom
   */
  public static CallRedecision of(Function<Rules, Scrubber> scrubbers) {
    return new CallRedecision(
        new CallEvaluation(new GateChain(System::nanoTime), new InspectorChain(scrubbers)));
  }

  /**
   * The command that the recorded call was on receipt.
   *
   * @param at when the gates are asked
   */
  public static ReceiveCall receiveCommand(
      CallReceived call,
      Intent intent,
      @Nullable String params,
      @Nullable String arguments,
      Instant at,
      Rules rules) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        new DialectVersion(call.dialect(), call.dialectVersion()),
        call.transport(),
        at,
        call.method(),
        call.rpcId(),
        call.principal(),
        intent,
        params,
        arguments,
        null,
        rules.hash(),
        null,
        call.agent(),
        List.of());
  }

  public Redecision decide(ReceiveCall call, Rules rules) {
    return switch (call.intent()) {
      case Intent.Act act -> act(call, act, rules);
      case Intent.AnswerHere() -> ungoverned(new DecisionOutcome.AnsweredHere());
      case Intent.Unservable(var fault) -> ungoverned(new DecisionOutcome.Unservable(fault.kind()));
    };
  }

  private static Redecision ungoverned(DecisionOutcome decisionOutcome) {
    return new Redecision(decisionOutcome, List.of(), false);
  }

  private Redecision act(ReceiveCall call, Intent.Act act, Rules rules) {
    CallVerdict callVerdict = callEvaluation.evaluate(call, act, rules);
    return new Redecision(
        outcome(callVerdict), callVerdict.rulings(), readsArguments(callVerdict, rules));
  }

  private static DecisionOutcome outcome(CallVerdict callVerdict) {
    return switch (callVerdict) {
      case CallVerdict.Allowed(var source, _) -> new DecisionOutcome.Forwarded(source.id());
      case CallVerdict.NeedsApproval(_, var approvalWorkflow, _) ->
          new DecisionOutcome.Held(approvalWorkflow.name());
      case CallVerdict.Denied(_, _, _, var reason, var rulings) ->
          new DecisionOutcome.Denied(rulings.getLast().gate(), reason);
      case CallVerdict.Withheld(_, var fault, _) -> withheld(fault);
    };
  }

  private static DecisionOutcome withheld(Fault fault) {
    return fault instanceof InspectionFailed(var inspector, _)
        ? new DecisionOutcome.Withheld(inspector)
        : new DecisionOutcome.Unservable(fault.kind());
  }

  /** Policies may read arguments, and inspectors do. */
  private static boolean readsArguments(CallVerdict callVerdict, Rules rules) {
    boolean inspected =
        !(callVerdict instanceof CallVerdict.Denied) && !rules.inspectors().isEmpty();
    return inspected || callVerdict.rulings().stream().anyMatch(Ruling.Policy.class::isInstance);
  }
}
