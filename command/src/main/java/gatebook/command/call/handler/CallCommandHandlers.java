package gatebook.command.call.handler;

import gatebook.command.call.AbandonCall;
import gatebook.command.call.AbandonDecider;
import gatebook.command.call.CallEntity;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.CallQuotas;
import gatebook.command.call.CallQuotas.QuotaRequest;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.call.Decision;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.ObservedVerdicts;
import gatebook.command.call.OrphanCall;
import gatebook.command.call.PassQuestion;
import gatebook.command.call.PassReply;
import gatebook.command.call.QuestionRecorder;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveMessage;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.RefuseDecider;
import gatebook.command.call.RefuseMessage;
import gatebook.command.call.RefuseMessages;
import gatebook.command.call.RetryCall;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleDecider;
import gatebook.command.call.agent.AgentTaskOwnership;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.MessageRecognition;
import gatebook.command.call.agent.RecordAgentTask;
import gatebook.command.call.agent.SentMessageEntity;
import gatebook.command.call.approval.ApprovalDecider;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.approval.ResumeDecider;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.call.task.CancelTask;
import gatebook.command.call.task.SettleTask;
import gatebook.command.call.task.TaskDecider;
import gatebook.command.call.task.TaskReader;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.ObservedVerdict;
import java.time.InstantSource;
import java.util.function.Function;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.modelling.annotation.InjectEntity;

/**
 * Handles the commands about calls. A handler loads the call where the decision depends on it, asks
 * a decider, appends the events of the decision, and returns its outcome, which the sender gets
 * when the events are durable.
 *
 * <p>A refusal is an outcome; a failed command stored nothing, or reports that this is unknown.
 */
public final class CallCommandHandlers {
  private final ObservedVerdicts observedVerdicts;
  private final RulesByHash rulesByHash;
  private final CallQuotas callQuotas;
  private final FaultTranslator faultTranslator;
  private final ReceiveDecider receiveDecider;
  private final ResumeDecider resumeDecider;
  private final SettleDecider settleDecider;
  private final TaskDecider taskDecider;
  private final QuestionRecorder questionRecorder;
  private final RefuseDecider refuseDecider;
  private final MessageRecognition messageRecognition;

  /**
   * Handlers of all commands about calls.
   *
   * @param candidateInspectors inspect calls for a candidate
   * @param observedVerdicts is told each verdict of a candidate
   */
  public CallCommandHandlers(
      RulesByHash rulesByHash,
      GateChain gateChain,
      InspectorChain inspectorChain,
      InspectorChain candidateInspectors,
      ObservedVerdicts observedVerdicts,
      CallQuotas callQuotas,
      PayloadRecorders payloadRecorders,
      ContentDigests contentDigests,
      FaultTranslator faultTranslator,
      InstantSource clock) {
    this.observedVerdicts = observedVerdicts;
    this.rulesByHash = rulesByHash;
    this.callQuotas = callQuotas;
    this.faultTranslator = faultTranslator;
    this.receiveDecider =
        new ReceiveDecider(
            gateChain,
            inspectorChain,
            candidateInspectors,
            payloadRecorders,
            contentDigests,
            faultTranslator,
            clock);
    this.resumeDecider =
        new ResumeDecider(gateChain, inspectorChain, contentDigests, faultTranslator);
    this.settleDecider = new SettleDecider(payloadRecorders, faultTranslator, clock);
    this.taskDecider =
        new TaskDecider(payloadRecorders, settleDecider, new TaskReader(faultTranslator));
    this.questionRecorder = new QuestionRecorder(payloadRecorders);
    this.refuseDecider = new RefuseDecider(faultTranslator);
    this.messageRecognition = new MessageRecognition(contentDigests);
  }

  @CommandHandler
  ReceiveOutcome handle(ReceiveCall command, EventAppender events, ProcessingContext context) {
    Rules rules = rulesByHash.get(command.rulesHash());
    return receive(
        command, quota -> receiveDecider.decide(command, rules, quota), rules, events, context);
  }

  @CommandHandler
  ReceiveOutcome handle(
      ReceiveMessage command,
      @InjectEntity SentMessageEntity sent,
      EventAppender events,
      ProcessingContext context) {
    Rules rules = rulesByHash.get(command.call().rulesHash());
    return receive(
        command.call(),
        quota -> receiveDecider.decide(command, sent, rules, quota),
        rules,
        events,
        context);
  }

  /**
   * Decides the call as if there were room in its quotas, and again when there is none. What a call
   * took that is not recorded is given back.
   */
  private ReceiveOutcome receive(
      ReceiveCall call,
      Function<QuotaResult, Decision<ReceiveOutcome>> decider,
      Rules rules,
      EventAppender events,
      ProcessingContext context) {
    Decision<ReceiveOutcome> decision = decider.apply(QuotaResult.TAKEN);
    QuotaRequest quotaRequest = QuotaRequest.of(call, decision, rules);
    if (quotaRequest != null) {
      QuotaResult quotaResult = callQuotas.take(quotaRequest);
      if (quotaResult instanceof QuotaResult.Taken) {
        context.onError((_, _, _) -> callQuotas.giveBack(call.callId()));
      } else {
        decision = decider.apply(quotaResult);
      }
    }
    if (rules.observed() != null) {
      decision.events().forEach(this::tellObserved);
    }
    return decision.appendTo(events, call.principal().name());
  }

  private void tellObserved(Event event) {
    ObservedVerdict verdict =
        switch (event) {
          case CallAdmitted admitted -> admitted.observed();
          case GateDenied denied -> denied.observed();
          case ApprovalRequested requested -> requested.observed();
          default -> null;
        };
    if (verdict != null) {
      observedVerdicts.add(verdict);
    }
  }

  @CommandHandler
  Boolean handle(RetryCall command, EventAppender events) {
    return RetryCall.decide(command, rulesByHash.get(command.rulesHash()))
        .appendTo(events, command.principal());
  }

  @CommandHandler
  Boolean handle(PassQuestion command, EventAppender events) {
    return questionRecorder
        .decide(command, rulesByHash.get(command.rulesHash()))
        .appendTo(events, command.principal());
  }

  @CommandHandler
  Boolean handle(PassReply command, EventAppender events) {
    return questionRecorder
        .decide(command, rulesByHash.get(command.rulesHash()))
        .appendTo(events, command.principal());
  }

  @CommandHandler
  CallOutcome handle(SettleCall command, EventAppender events) {
    return settleDecider
        .decide(command, rulesByHash.get(command.rulesHash()))
        .appendTo(events, command.principal());
  }

  @CommandHandler
  ErrorResponse handle(RefuseMessage command, EventAppender events) {
    return refuseDecider.decide(command).appendTo(events, command.principal());
  }

  @CommandHandler
  Boolean handle(RefuseMessages command, EventAppender events) {
    return RefuseMessages.decide(command).appendTo(events);
  }

  @CommandHandler
  DecideApproval.Outcome handle(
      DecideApproval command, @InjectEntity CallEntity call, EventAppender events) {
    Scrubber scrubber = faultTranslator.nameScrubber();
    return ApprovalDecider.decide(command.scrubbed(scrubber), call.state())
        .appendTo(events, call.state().principal());
  }

  @CommandHandler
  ResumeOutcome handle(ResumeCall command, @InjectEntity CallEntity call, EventAppender events) {
    Rules rules = rulesByHash.get(command.rulesHash());
    return resumeDecider
        .decide(command, call.state(), rules)
        .appendTo(events, call.state().principal());
  }

  @CommandHandler
  Boolean handle(AbandonCall command, @InjectEntity CallEntity call, EventAppender events) {
    return AbandonDecider.decide(command, call.state()).appendTo(events, call.state().principal());
  }

  @CommandHandler
  Boolean handle(OrphanCall command, @InjectEntity CallEntity call, EventAppender events) {
    return AbandonDecider.decide(command, call.state()).appendTo(events, call.state().principal());
  }

  @CommandHandler
  Boolean handle(CloseUnrecordedCall command, @InjectEntity CallEntity call, EventAppender events) {
    return AbandonDecider.decide(command, call.state()).appendTo(events, call.state().principal());
  }

  @CommandHandler
  TaskStatus handle(CancelTask command, @InjectEntity CallEntity call, EventAppender events) {
    Rules rules = rulesByHash.get(command.lookup().rulesHash());
    return taskDecider
        .decide(command, call.state(), rules)
        .appendTo(events, call.state().principal());
  }

  @CommandHandler
  CallOutcome handle(SettleTask command, @InjectEntity CallEntity call, EventAppender events) {
    Rules rules = rulesByHash.get(command.call().rulesHash());
    return taskDecider
        .decide(command, call.state(), rules)
        .appendTo(events, call.state().principal());
  }

  @CommandHandler
  GetAgentTaskOwner.Result handle(
      RecordAgentTask command, @InjectEntity AgentTaskOwnership agentTask, EventAppender events) {
    return RecordAgentTask.decide(command, agentTask, messageRecognition)
        .appendTo(events, command.principal());
  }
}
