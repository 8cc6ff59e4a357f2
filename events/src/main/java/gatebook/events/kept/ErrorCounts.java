package gatebook.events.kept;

import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.call.DroppedCount;
import gatebook.events.call.DroppedCount.Kind;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.Fault;
import gatebook.events.journal.storage.Entry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the denials and errors among events that are dropped, by hour, as views count them: each
 * denial by its gate, its reason and what the caller was told, if that is known; each error
 * response by its code, fault and gate.
 */
final class ErrorCounts {
  private final Map<DroppedCount, SortedMap<Instant, Long>> counts = new LinkedHashMap<>();

  /** The newest denial of each call of which its caller was not told yet. */
  private final Map<UUID, Denial> untold = new HashMap<>();

  private record Denial(GateDenied event, Instant at) {}

  /** Adds the next of the events that go. */
  void add(Event event, Entry entry) {
    Instant at = Instant.parse(entry.at());
    switch (event) {
      case GateDenied denied -> {
        Denial earlier = untold.put(denied.callId(), new Denial(denied, at));
        if (earlier != null) {
          count(denial(earlier.event, null), earlier.at, 1);
        }
      }
      case ErrorTranslated translated -> add(translated, at);
      case MessageRefused refused -> count(error(refused.told(), refused.fault()), at, 1);
      case MessagesRefused refused ->
          refused.counts().forEach(it -> count(error(it), at, it.count()));
      default -> {
        // no denial and no error
      }
    }
  }

  private void add(ErrorTranslated translated, Instant at) {
    if (translated.fault().gate().isPresent()) {
      Denial denial = untold.remove(translated.callId());
      if (denial != null) {
        count(denial(denial.event, translated.told()), denial.at, 1);
      }
    }
    if (translated.firstToldTo() == null) {
      count(error(translated.told(), translated.fault()), at, 1);
    }
  }

  private void count(DroppedCount key, Instant at, long times) {
    counts
        .computeIfAbsent(key, _ -> new TreeMap<>())
        .merge(at.truncatedTo(ChronoUnit.HOURS), times, Long::sum);
  }

  private static DroppedCount denial(GateDenied denied, @Nullable ErrorResponse told) {
    return new DroppedCount(
        Kind.DENIAL,
        denied.gate(),
        denied.reason(),
        told == null ? null : told.dialect(),
        told == null ? null : Integer.toString(told.code()),
        null);
  }

  private static DroppedCount error(ErrorResponse told, Fault fault) {
    return new DroppedCount(
        Kind.ERROR,
        fault.gate().orElse(null),
        null,
        told.dialect(),
        DefinedErrors.groupCode(told.dialect(), told.code()),
        fault.kind());
  }

  private static DroppedCount error(MessagesRefused.Count count) {
    Dialect dialect = count.dialect();
    Integer code = count.code();
    return new DroppedCount(
        Kind.ERROR,
        null,
        null,
        dialect,
        code == null ? null : DefinedErrors.groupCode(dialect, code),
        count.fault());
  }

  /** What was counted. */
  List<DroppedCount> counts() {
    untold.values().forEach(denial -> count(denial(denial.event, null), denial.at, 1));
    untold.clear();
    return counts.entrySet().stream().map(it -> it.getKey().with(it.getValue())).toList();
  }
}
