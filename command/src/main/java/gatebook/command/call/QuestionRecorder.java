package gatebook.command.call;

import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Rules;
import gatebook.events.CallerReplied;
import gatebook.events.CallerReplied.Outcome;
import gatebook.events.Event;
import gatebook.events.SourceAsked;
import gatebook.events.keys.ContentOwner;
import java.util.List;

/**
 * Records a source's question to the caller and the caller's reply. There is nothing to decide: the
 * call that they belong to was admitted.
 */
public final class QuestionRecorder {

  private final PayloadRecorders payloadRecorders;

  public QuestionRecorder(PayloadRecorders payloadRecorders) {
    this.payloadRecorders = payloadRecorders;
  }

  public Decision<Boolean> decide(PassQuestion question, Rules rules) {
    PayloadRecorder payloadRecorder =
        payloadRecorders.of(rules, ContentOwner.ofCall(question.principal(), question.callId()));
    return recorded(
        new SourceAsked(
            question.callId(),
            question.source(),
            question.questionId(),
            question.method(),
            question.params() == null ? null : payloadRecorder.keep(question.params())));
  }

  public Decision<Boolean> decide(PassReply reply, Rules rules) {
    return recorded(
        new CallerReplied(
            reply.callId(),
            reply.source(),
            reply.questionId(),
            reply.isError() ? Outcome.ERROR : Outcome.RESULT,
            payloadRecorders
                .of(rules, ContentOwner.ofCall(reply.principal(), reply.callId()))
                .keep(reply.content())));
  }

  private static Decision<Boolean> recorded(Event event) {
    return new Decision<>(List.of(event), true);
  }
}
