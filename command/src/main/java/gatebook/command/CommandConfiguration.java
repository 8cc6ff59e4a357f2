package gatebook.command;

import gatebook.command.abandon.AbandonCall;
import gatebook.command.abandon.Abandoning;
import gatebook.command.abandon.CloseCall;
import gatebook.command.abandon.OrphanCall;
import gatebook.command.activate.ActivateRules;
import gatebook.command.activate.Activating;
import gatebook.command.activate.RejectRules;
import gatebook.command.approve.Approval;
import gatebook.command.approve.DecideApproval;
import gatebook.command.course.CallSoFar;
import gatebook.command.gate.Gates;
import gatebook.command.inspect.Inspections;
import gatebook.command.keep.Keepers;
import gatebook.command.outage.ReportOutage;
import gatebook.command.question.PassQuestion;
import gatebook.command.question.PassReply;
import gatebook.command.question.Questioning;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.receive.Receiving;
import gatebook.command.receive.Seats;
import gatebook.command.refuse.RefuseMessage;
import gatebook.command.refuse.RefuseMessages;
import gatebook.command.refuse.Refusing;
import gatebook.command.resume.ResumeCall;
import gatebook.command.resume.Resuming;
import gatebook.command.retry.RetryCall;
import gatebook.command.settle.SettleCall;
import gatebook.command.settle.Settling;
import gatebook.command.task.AskAfterTask;
import gatebook.command.task.CancelTask;
import gatebook.command.task.SettleTask;
import gatebook.command.task.TakeOverTask;
import gatebook.command.task.Tasks;
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

  private final Inspections inspections;
  private final Seats seats;
  private final Keepers keepers;
  private final Telling telling;
  private final InstantSource clock;

  public CommandConfiguration(
      Inspections inspections, Seats seats, Keepers keepers, Telling telling, InstantSource clock) {
    this.inspections = inspections;
    this.seats = seats;
    this.keepers = keepers;
    this.telling = telling;
    this.clock = clock;
  }

  /** To be registered with the framework that runs the handlers. */
  public ModuleBuilder<CommandHandlingModule> handlers() {
    Gates gates = new Gates(System::nanoTime);
    Receiving receiving = new Receiving(gates, inspections, seats, keepers, telling, clock);
    Settling settling = new Settling(keepers, telling, clock);
    Questioning questioning = new Questioning(keepers);
    Refusing refusing = new Refusing(telling);
    Activating activating = new Activating(clock);
    Resuming resuming = new Resuming(gates, inspections, keepers, telling);
    var handlers = CommandHandlingModule.named("calls").commandHandlers();
    handlers
        .commandHandler(named(ReceiveCall.class), deciding(ReceiveCall.class, receiving::decide))
        .commandHandler(named(RetryCall.class), deciding(RetryCall.class, RetryCall::decide))
        .commandHandler(
            named(PassQuestion.class), deciding(PassQuestion.class, questioning::decide))
        .commandHandler(named(PassReply.class), deciding(PassReply.class, questioning::decide))
        .commandHandler(named(SettleCall.class), deciding(SettleCall.class, settling::decide))
        .commandHandler(named(RefuseMessage.class), deciding(RefuseMessage.class, refusing::decide))
        .commandHandler(
            named(RefuseMessages.class), deciding(RefuseMessages.class, RefuseMessages::decide))
        .commandHandler(
            named(ReportOutage.class), deciding(ReportOutage.class, ReportOutage::decide))
        .commandHandler(
            named(ActivateRules.class), deciding(ActivateRules.class, activating::decide))
        .commandHandler(named(RejectRules.class), deciding(RejectRules.class, activating::decide));
    handlers
        .commandHandler(
            named(DecideApproval.class),
            decidingOn(
                DecideApproval.class,
                DecideApproval::callId,
                (it, call) -> Approval.decide(it.scrubbed(telling.names()), call)))
        .commandHandler(
            named(ResumeCall.class),
            decidingOn(ResumeCall.class, it -> it.hold().call().callId(), resuming::decide))
        .commandHandler(
            named(AbandonCall.class),
            decidingOn(AbandonCall.class, AbandonCall::callId, Abandoning::decide))
        .commandHandler(
            named(OrphanCall.class),
            decidingOn(OrphanCall.class, OrphanCall::callId, Abandoning::decide))
        .commandHandler(
            named(CloseCall.class),
            decidingOn(CloseCall.class, CloseCall::callId, Abandoning::decide));
    Tasks tasks = new Tasks(keepers, settling, telling);
    handlers
        .commandHandler(
            named(AskAfterTask.class),
            decidingOn(AskAfterTask.class, it -> it.task().callId(), tasks::decide))
        .commandHandler(
            named(CancelTask.class),
            decidingOn(CancelTask.class, it -> it.asking().task().callId(), tasks::decide))
        .commandHandler(
            named(TakeOverTask.class),
            decidingOn(TakeOverTask.class, TakeOverTask::callId, tasks::decide))
        .commandHandler(
            named(SettleTask.class),
            decidingOn(SettleTask.class, it -> it.call().callId(), tasks::decide));
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
      Class<C> type, Function<C, UUID> callId, BiFunction<C, CallSoFar, Decision<R>> decisions) {
    return new OnCall<>(type, callId, decisions, OUTCOME);
  }
}
