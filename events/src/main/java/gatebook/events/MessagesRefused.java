package gatebook.events;

import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages were refused, more than are recorded one by one: how many, of what kind, from when to
 * when.
 */
@Named(name = "MessagesRefused", version = "1")
public record MessagesRefused(Instant from, Instant to, List<Count> counts) implements Event {

  public MessagesRefused {
    counts = List.copyOf(counts);
  }

  /**
   * The number of messages refused with one kind of fault, by {@link
   * gatebook.events.fault.Fault#kind()}.
   *
   * @param code that their senders were told; absent in older records
   */
  public record Count(
      Dialect dialect, Transport transport, String fault, @Nullable Integer code, long count) {}
}
