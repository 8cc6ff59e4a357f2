package gatebook.command.call;

import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.events.CallerReplied;
import gatebook.events.CallerReplied.Outcome;
import gatebook.events.Event;
import gatebook.events.SourceAsked;
import java.util.List;

/** Records both sides of a question; nobody decides about it: the call it belongs to was let in. */
public final class QuestionRecorder {

  private final PayloadRecorders payloadRecorders;

  public QuestionRecorder(PayloadRecorders payloadRecorders) {
    this.payloadRecorders = payloadRecorders;
  }

  public Decision<Boolean> decide(PassQuestion asked) {
    PayloadRecorder payloadRecorder = payloadRecorders.of(asked.rules());
    return recorded(
        new SourceAsked(
            asked.callId(),
            asked.source(),
            asked.question(),
            asked.method(),
            asked.params() == null ? null : payloadRecorder.keep(asked.params())));
  }

  public Decision<Boolean> decide(PassReply reply) {
    return recorded(
        new CallerReplied(
            reply.callId(),
            reply.source(),
            reply.question(),
            reply.isError() ? Outcome.ERROR : Outcome.RESULT,
            payloadRecorders.of(reply.rules()).keep(reply.content())));
  }

  private static Decision<Boolean> recorded(Event event) {
    return new Decision<>(List.of(event), true);
  }
}
