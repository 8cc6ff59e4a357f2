package gatebook.command.call;

import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Rules;
import gatebook.events.TaskCreated;
import gatebook.events.call.SentMessage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognition of messages that are sent again, by their ids and what they say. */
final class MessageRecognition {

  /** The id has another message, which is not forgotten yet. */
  static final Fault OTHER_CONTENT =
      new InvalidParams(
          List.of(
              new Problem(
                  "message.messageId",
                  null,
                  "an id that no message with other content had lately",
                  null,
                  List.of())));

  private final PayloadRecorders payloadRecorders;

  MessageRecognition(PayloadRecorders payloadRecorders) {
    this.payloadRecorders = payloadRecorders;
  }

  /** What is recorded of the message of a call; absent when it has none. */
  @Nullable SentMessage sent(ReceiveCall call, Deferral deferral, Rules rules) {
    Deferral.Message message = deferral.message();
    return message == null
        ? null
        : new SentMessage(
            new SentMessageKey(call.principal().name(), call.agent(), message.messageId()).value(),
            payloadRecorders.of(rules).digest(message.content()));
  }

  /** Whether the id of the message that asked for a task may be used again. */
  static boolean isForgotten(TaskCreated task, ReceiveCall call, Rules rules) {
    long keptMillis = Math.min(task.ttlMillis(), rules.limits().agentMessageKeptMillis());
    return !call.receivedAt().isBefore(task.createdAt().plusMillis(keptMillis));
  }
}
