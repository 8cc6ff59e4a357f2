package gatebook.api.gateway;

import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.RefuseMessages;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
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
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Throttles the records of refused messages: so many a second have a record of their own, and the
 * others are only counted, so that malformed messages cannot fill the journal.
 */
final class RefusalThrottle {

  private final CommandSender commandSender;
  private final InstantSource clock;
  private final ToIntBiFunction<Fault, Dialect> codes;
  private final Map<Kind, Long> counts = new HashMap<>();
  private long second;
  private int inSecond;
  private @Nullable Instant from;
  private @Nullable Instant to;

  private record Kind(Dialect dialect, Transport transport, String fault, @Nullable Integer code) {}

  /**
   * @param codes what the senders are told
   */
  RefusalThrottle(
      CommandSender commandSender, InstantSource clock, ToIntBiFunction<Fault, Dialect> codes) {
    this.commandSender = commandSender;
    this.clock = clock;
    this.codes = codes;
  }

  /** Counts a message that is above the limit; returns whether it is. */
  synchronized boolean throttle(
      Dialect dialect, Transport transport, Fault fault, GatewayLimits gatewayLimits) {
    Instant now = clock.instant();
    if (now.getEpochSecond() != second) {
      second = now.getEpochSecond();
      inSecond = 0;
    }
    inSecond++;
    if (inSecond <= gatewayLimits.get(Limit.REFUSALS_PER_SECOND_MAX)) {
      return false;
    }
    count(dialect, transport, fault, now);
    return true;
  }

  /** Counts a message that has no record of its own. */
  synchronized void count(Dialect dialect, Transport transport, Fault fault) {
    count(dialect, transport, fault, clock.instant());
  }

  private void count(Dialect dialect, Transport transport, Fault fault, Instant now) {
    int code = codes.applyAsInt(fault, dialect);
    counts.merge(new Kind(dialect, transport, fault.kind(), code), 1L, Long::sum);
    from = from == null ? now : from;
    to = now;
  }

  /** Records the counts; those that the journal refuses are added to the next ones. */
  void report() {
    RefuseMessages messages = drain();
    if (messages != null) {
      CompletableFuture<Void> _ =
          commandSender
              .send(messages, Boolean.class)
              .handle((commandResult, failure) -> {
                if (failure != null || !(commandResult instanceof CommandResult.Stored<Boolean>)) {
                  restore(messages);
                }
                return null;
              });
    }
  }

  private synchronized @Nullable RefuseMessages drain() {
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
                    entry.getKey().code,
                    entry.getValue()))
            .toList();
    RefuseMessages messages = new RefuseMessages(from, to, all);
    counts.clear();
    from = null;
    to = null;
    return messages;
  }

  private synchronized void restore(RefuseMessages messages) {
    for (MessagesRefused.Count count : messages.counts()) {
      counts.merge(
          new Kind(count.dialect(), count.transport(), count.fault(), count.code()),
          count.count(),
          Long::sum);
    }
    from = messages.from();
    to = to == null ? messages.to() : to;
  }
}
