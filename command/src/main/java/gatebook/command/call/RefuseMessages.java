package gatebook.command.call;

import gatebook.events.MessagesRefused;
import java.time.Instant;
import java.util.List;

/** Records how many messages were refused without a record of their own. */
public record RefuseMessages(Instant from, Instant to, List<MessagesRefused.Count> counts) {
  public RefuseMessages {
    counts = List.copyOf(counts);
  }

  public static Decision<Boolean> decide(RefuseMessages messages) {
    return new Decision<>(
        List.of(new MessagesRefused(messages.from, messages.to, messages.counts)), true);
  }
}
