package gatebook.api.a2a;

import gatebook.api.a2a.message.A2aCall;
import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.message.A2aMeters.StoreResult;
import gatebook.api.a2a.message.MessageTurns.Turn;
import gatebook.api.a2a.upstream.UpstreamAgents;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.gateway.message.CallObserver;
import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Source;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Observes calls of A2A: counts them, and opens the streams that tell of their tasks. */
record A2aCallObserver(UpstreamAgents upstreamAgents, A2aMeters meters) implements CallObserver {
  private static final Logger LOG = LoggerFactory.getLogger(A2aMethods.class);

  private static final String ID_USED_AGAIN =
      "a message has the id of an earlier one and other content, and is sent as a new one:"
          + " its client should give each message an id of its own";

  /** A message with the id of an earlier one and other content is a new one. */
  @Override
  public void onReceived(DialectCall dialectCall, ReceiveOutcome outcome, String correlationId) {
    A2aCall call = A2aCall.of(dialectCall);
    boolean isSent = !(outcome instanceof ReceiveOutcome.Refused);
    if (isSent && (call.usesIdAgain() || outcome.usesIdAgain())) {
      meters.countIdUsedAgain();
      LOG.atInfo()
          .addKeyValue("correlation_id", correlationId)
          .addKeyValue("operation", call.method().latestName())
          .log(ID_USED_AGAIN);
    }
  }

  @Override
  public void onEnded(DialectCall dialectCall, Source source, String principal, Ended ended) {
    A2aCall call = A2aCall.of(dialectCall);
    if (call.agent() != null) {
      upstreamAgents.onEnded(call, ended);
    }
  }

  /** The response to a message may be a stream about its task. */
  @Override
  public void onTask(DialectCall dialectCall, TaskStatus.Known known, AnswerContext answerContext) {
    A2aCall call = A2aCall.of(dialectCall);
    if (call.isStream()) {
      A2aExchange.stream(answerContext, known, call.version(), false, meters);
    }
  }

  @Override
  public void onTaskStored(TaskStep taskStep, boolean isStored) {
    meters.count(
        switch (taskStep) {
          case CREATION -> StoreOperation.CREATE;
          case END -> StoreOperation.END;
        },
        isStored ? StoreResult.SUCCESS : StoreResult.ERROR);
  }

  /** Counts messages; other requests are counted by what they do. */
  @Override
  public void onOutcome(String method, CallOutcome outcome) {
    if (A2aMethod.of(method).filter(it -> it.method().sendsMessage()).isPresent()) {
      meters.count(outcome);
    }
  }

  /** Equal messages may be sent now, unless this one goes on without its caller. */
  @Override
  public void onReply(DialectCall dialectCall) {
    A2aCall.of(dialectCall).turn().ifPresent(Turn::endUnlessSent);
  }
}
