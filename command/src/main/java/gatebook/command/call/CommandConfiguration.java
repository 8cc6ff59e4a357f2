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
 * Every command there is and who decides it.
 *
 * <p>A handler is plumbing: it asks for the decision, appends its events at once, and answers with
 * its outcome when they are durable. Refusals are outcomes; a failed command stored nothing, or
 * says that nobody knows.
 */
public final class CommandConfiguration {

  private static final MessageType OUTCOME = new MessageType("gatebook.Outcome");

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

  /** To be registered with the framework that runs the handlers. */
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
            named(ReceiveCall.class), deciding(ReceiveCall.class, receiveDecider::decide))
        .commandHandler(named(RetryCall.class), deciding(RetryCall.class, RetryCall::decide))
        .commandHandler(
            named(PassQuestion.class), deciding(PassQuestion.class, questionRecorder::decide))
        .commandHandler(named(PassReply.class), deciding(PassReply.class, questionRecorder::decide))
        .commandHandler(named(SettleCall.class), deciding(SettleCall.class, settleDecider::decide))
        .commandHandler(
            named(RefuseMessage.class), deciding(RefuseMessage.class, refuseDecider::decide))
        .commandHandler(
            named(RefuseMessages.class), deciding(RefuseMessages.class, RefuseMessages::decide))
        .commandHandler(
            named(ReportOutage.class), deciding(ReportOutage.class, ReportOutage::decide))
        .commandHandler(
            named(ActivateRules.class), deciding(ActivateRules.class, activationDecider::decide))
        .commandHandler(
            named(RejectRules.class), deciding(RejectRules.class, activationDecider::decide));
    handlers
        .commandHandler(
            named(DecideApproval.class),
            decidingOn(
                DecideApproval.class,
                DecideApproval::callId,
                (it, call) -> ApprovalDecider.decide(it.scrubbed(faultTranslator.names()), call)))
        .commandHandler(
            named(ResumeCall.class),
            decidingOn(ResumeCall.class, it -> it.hold().call().callId(), resumeDecider::decide))
        .commandHandler(
            named(AbandonCall.class),
            decidingOn(AbandonCall.class, AbandonCall::callId, AbandonDecider::decide))
        .commandHandler(
            named(OrphanCall.class),
            decidingOn(OrphanCall.class, OrphanCall::callId, AbandonDecider::decide))
        .commandHandler(
            named(CloseCall.class),
            decidingOn(CloseCall.class, CloseCall::callId, AbandonDecider::decide));
    TaskDecider taskDecider = new TaskDecider(payloadRecorders, settleDecider, faultTranslator);
    handlers
        .commandHandler(
            named(GetTask.class),
            decidingOn(GetTask.class, it -> it.task().callId(), taskDecider::decide))
        .commandHandler(
            named(CancelTask.class),
            decidingOn(CancelTask.class, it -> it.asking().task().callId(), taskDecider::decide))
        .commandHandler(
            named(TakeOverTask.class),
            decidingOn(TakeOverTask.class, TakeOverTask::callId, taskDecider::decide))
        .commandHandler(
            named(SettleTask.class),
            decidingOn(SettleTask.class, it -> it.call().callId(), taskDecider::decide));
    return handlers;
  }

  private static QualifiedName named(Class<?> command) {
    return new QualifiedName(command);
  }

  private static <C, R> CommandHandler deciding(Class<C> type, Function<C, Decision<R>> decisions) {
    return (message, context) -> {
      Decision<R> decision =
          decisions.apply(
              type.cast(Objects.requireNonNull(message.payload(), "a command has content")));
      EventAppender.forContext(context).append(decision.events());
      return MessageStream.just(new GenericCommandResultMessage(OUTCOME, decision.outcome()));
    };
  }

  /**
   * For decisions on what has happened to one call: they never rest on less than is stored before
   * their events.
   */
  private static <C, R> CommandHandler decidingOn(
      Class<C> type, Function<C, UUID> callId, BiFunction<C, CallState, Decision<R>> decisions) {
    return new CallCommandHandler<>(type, callId, decisions, OUTCOME);
  }
}
