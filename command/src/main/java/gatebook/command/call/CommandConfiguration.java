package gatebook.command.call;

import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.PayloadRecorders;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.axonframework.common.configuration.ModuleBuilder;
import org.axonframework.messaging.commandhandling.CommandHandler;
import org.axonframework.messaging.commandhandling.GenericCommandResultMessage;
import org.axonframework.messaging.commandhandling.configuration.CommandHandlingModule;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;

/**
 * Configures the handlers of all commands.
 *
 * <p>A handler asks a decider for the decision, appends its events at once, and returns its outcome
 * when they are durable. A refusal is an outcome; a failed command stored nothing, or reports that
 * this is unknown.
 */
public final class CommandConfiguration {

  private static final MessageType RESULT_TYPE = new MessageType("gatebook.Outcome");

  private final InspectorChain inspectorChain;
  private final HoldQuota holdQuota;
  private final PayloadRecorders payloadRecorders;
  private final FaultTranslator faultTranslator;
  private final InstantSource clock;

  public CommandConfiguration(
      InspectorChain inspectorChain,
      HoldQuota holdQuota,
      PayloadRecorders payloadRecorders,
      FaultTranslator faultTranslator,
      InstantSource clock) {
    this.inspectorChain = inspectorChain;
    this.holdQuota = holdQuota;
    this.payloadRecorders = payloadRecorders;
    this.faultTranslator = faultTranslator;
    this.clock = clock;
  }

  /** For registration with the framework that runs the handlers. */
  public ModuleBuilder<CommandHandlingModule> handlers() {
    GateChain gateChain = new GateChain(System::nanoTime);
    ReceiveDecider receiveDecider =
        new ReceiveDecider(
            gateChain, inspectorChain, holdQuota, payloadRecorders, faultTranslator, clock);
    SettleDecider settleDecider = new SettleDecider(payloadRecorders, faultTranslator, clock);
    QuestionRecorder questionRecorder = new QuestionRecorder(payloadRecorders);
    RefuseDecider refuseDecider = new RefuseDecider(faultTranslator);
    ActivationDecider activationDecider = new ActivationDecider(clock);
    ResumeDecider resumeDecider =
        new ResumeDecider(gateChain, inspectorChain, payloadRecorders, faultTranslator);
    var handlers = CommandHandlingModule.named("calls").commandHandlers();
    handlers
        .commandHandler(
            named(ReceiveCall.class), stateless(ReceiveCall.class, receiveDecider::decide))
        .commandHandler(named(RetryCall.class), stateless(RetryCall.class, RetryCall::decide))
        .commandHandler(
            named(PassQuestion.class), stateless(PassQuestion.class, questionRecorder::decide))
        .commandHandler(
            named(PassReply.class), stateless(PassReply.class, questionRecorder::decide))
        .commandHandler(named(SettleCall.class), stateless(SettleCall.class, settleDecider::decide))
        .commandHandler(
            named(RefuseMessage.class), stateless(RefuseMessage.class, refuseDecider::decide))
        .commandHandler(
            named(RefuseMessages.class), stateless(RefuseMessages.class, RefuseMessages::decide))
        .commandHandler(
            named(ReportOutage.class), stateless(ReportOutage.class, ReportOutage::decide))
        .commandHandler(
            named(ActivateRules.class), stateless(ActivateRules.class, activationDecider::decide))
        .commandHandler(
            named(RejectRules.class), stateless(RejectRules.class, activationDecider::decide));
    handlers
        .commandHandler(
            named(DecideApproval.class),
            onCallState(
                DecideApproval.class,
                DecideApproval::callId,
                (it, call) ->
                    ApprovalDecider.decide(it.scrubbed(faultTranslator.nameScrubber()), call)))
        .commandHandler(
            named(ResumeCall.class),
            onCallState(
                ResumeCall.class, it -> it.heldCall().call().callId(), resumeDecider::decide))
        .commandHandler(
            named(AbandonCall.class),
            onCallState(AbandonCall.class, AbandonCall::callId, AbandonDecider::decide))
        .commandHandler(
            named(OrphanCall.class),
            onCallState(OrphanCall.class, OrphanCall::callId, AbandonDecider::decide))
        .commandHandler(
            named(CloseCall.class),
            onCallState(CloseCall.class, CloseCall::callId, AbandonDecider::decide));
    TaskDecider taskDecider = new TaskDecider(payloadRecorders, settleDecider, faultTranslator);
    handlers
        .commandHandler(
            named(GetTask.class),
            onCallState(GetTask.class, it -> it.task().callId(), taskDecider::decide))
        .commandHandler(
            named(CancelTask.class),
            onCallState(CancelTask.class, it -> it.lookup().task().callId(), taskDecider::decide))
        .commandHandler(
            named(TakeOverTask.class),
            onCallState(TakeOverTask.class, TakeOverTask::callId, taskDecider::decide))
        .commandHandler(
            named(SettleTask.class),
            onCallState(SettleTask.class, it -> it.call().callId(), taskDecider::decide));
    return handlers;
  }

  private static QualifiedName named(Class<?> command) {
    return new QualifiedName(command);
  }

  private static <C, R> CommandHandler stateless(Class<C> type, Function<C, Decision<R>> decider) {
    return (message, context) -> {
      Decision<R> decision =
          decider.apply(
              type.cast(Objects.requireNonNull(message.payload(), "a command has content")));
      EventAppender.forContext(context).append(decision.events());
      return MessageStream.just(new GenericCommandResultMessage(RESULT_TYPE, decision.outcome()));
    };
  }

  /**
   * For commands decided on the state of one call: no decision misses an event that is stored
   * before its own.
   */
  private static <C, R> CommandHandler onCallState(
      Class<C> type, Function<C, UUID> callId, BiFunction<C, CallState, Decision<R>> decider) {
    return new CallCommandHandler<>(type, callId, decider, RESULT_TYPE);
  }
}
