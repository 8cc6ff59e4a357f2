package gatebook.api.gateway;

import gatebook.command.call.RefuseMessages;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many messages a second that are no calls have a record of their own, and counts the
 * others, so that nobody fills the journal by sending nonsense.
 */
final class RefusalThrottle {

  private final CommandSender commandSender;
  private final InstantSource clock;
  private final Map<Kind, Long> counts = new HashMap<>();
  private long second;
  private int inSecond;
  private @Nullable Instant from;
  private @Nullable Instant to;

  private record Kind(Dialect dialect, Transport transport, String fault) {}

  RefusalThrottle(CommandSender commandSender, InstantSource clock) {
    this.commandSender = commandSender;
    this.clock = clock;
  }

  /** Whether this message is only counted; if so, it is. */
  synchronized boolean counts(
      Dialect dialect, Transport transport, Fault fault, GatewayLimits gatewayLimits) {
    Instant now = clock.instant();
    if (now.getEpochSecond() != second) {
      second = now.getEpochSecond();
      inSecond = 0;
    }
    inSecond++;
    if (inSecond <= gatewayLimits.refusalsPerSecondMax()) {
      return false;
    }
    counts.merge(new Kind(dialect, transport, fault.kind()), 1L, Long::sum);
    from = from == null ? now : from;
    to = now;
    return true;
  }

  /** Records what was counted; what cannot be recorded yet is counted on. */
  void report() {
    RefuseMessages messages = taken();
    if (messages != null) {
      CompletableFuture<Void> _ =
          commandSender
              .of(messages, Boolean.class)
              .handle((commandResult, failure) -> {
                if (failure != null || !(commandResult instanceof CommandResult.Done<Boolean>)) {
                  back(messages);
                }
                return null;
              });
    }
  }

  private synchronized @Nullable RefuseMessages taken() {
    if (from == null || to == null) {
      return null;
    }
    List<MessagesRefused.Count> all =
        counts.entrySet().stream()
            .map(entry ->
                new MessagesRefused.Count(
                    entry.getKey().dialect,
                    entry.getKey().transport,
                    entry.getKey().fault,
                    entry.getValue()))
            .toList();
    RefuseMessages messages = new RefuseMessages(from, to, all);
    counts.clear();
    from = null;
    to = null;
    return messages;
  }

  private synchronized void back(RefuseMessages messages) {
    for (MessagesRefused.Count count : messages.counts()) {
      counts.merge(
          new Kind(count.dialect(), count.transport(), count.fault()), count.count(), Long::sum);
    }
    from = messages.from();
    to = to == null ? messages.to() : to;
  }
}
