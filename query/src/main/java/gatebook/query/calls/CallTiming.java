package gatebook.query.calls;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.call.Ruling;
import gatebook.query.calls.TimeShare.On;
import gatebook.query.projection.EpochNanos;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a call's time went, as far as its events tell: from the moment it was received, the time up
 * to each event, divided by who had the call. All parts of a call that ended, cut to whole
 * milliseconds, add up to its duration.
 *
 * <p>Events that were recorded together bear one time, so that what went before them is told with
 * the first that was not there from the beginning. Clocks may disagree; no part is less than
 * nothing, and none goes beyond the end.
 */
final class CallTiming {
  private static final long MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  private final List<Told> events;
  private final long beganAt;
  private final int last;
  private final long end;
  private final long upstreamFrom;
  private final Set<String> questions = new HashSet<>();
  private boolean isHeld;
  private boolean wasHeld;

  /**
   * An event of the call.
   *
   * @param event absent where this version cannot read it
   * @param at RFC 3339, UTC
   */
  record Told(Optional<CallEvent> event, String at) {}

  /** How a call ended: after how long, and how much of that the source had. */
  private record Ended(long totalMillis, @Nullable Long upstreamMillis) {}

  private CallTiming(List<Told> events) {
    this.events = events;
    this.beganAt = beganAt(events);
    this.last = lastEnd(events);
    this.end = last < 0 ? Long.MAX_VALUE : end(ended(events.get(last)), events.get(last).at());
    this.upstreamFrom = upstreamFrom();
  }

  /** The parts of the time up to each event since the one before. */
  static List<List<TimeShare>> of(List<Told> events) {
    return events.isEmpty() ? List.of() : new CallTiming(events).spent();
  }

  private static long beganAt(List<Told> events) {
    Told first = events.getFirst();
    return first.event().orElse(null) instanceof CallReceived received
        ? EpochNanos.of(received.receivedAt())
        : EpochNanos.of(first.at());
  }

  private static int lastEnd(List<Told> events) {
    int last = events.size() - 1;
    while (last >= 0 && ended(events.get(last)) == null) {
      last--;
    }
    return last;
  }

  private static @Nullable Ended ended(Told told) {
    return told.event().orElse(null) instanceof CallEnd end ? ended(end) : null;
  }

  private static @Nullable Ended ended(CallEnd end) {
    return switch (end) {
      case CallAnswered it -> new Ended(it.totalMillis(), it.upstreamMillis());
      case ErrorTranslated it -> new Ended(it.totalMillis(), it.upstreamMillis());
      case CallAbandoned it -> new Ended(it.totalMillis(), null);
      case CallOrphaned _, MessageRefused _ -> null;
    };
  }

  /** Within the millisecond that was recorded, as the event's time has it. */
  private long end(@Nullable Ended ended, String at) {
    long whole = ended == null ? 0 : TimeUnit.MILLISECONDS.toMicros(ended.totalMillis());
    long more = micros(at) - whole;
    return more < 0 || more >= 2 * MILLI ? whole : whole + Math.min(more, MILLI - 1);
  }

  /** Where the end does not tell, the source had it since it was sent there. */
  private long upstreamFrom() {
    Ended ended = last < 0 ? null : ended(events.get(last));
    if (ended != null && ended.upstreamMillis() != null) {
      return Math.max(0, end - TimeUnit.MILLISECONDS.toMicros(ended.upstreamMillis()));
    }
    return events.stream()
        .filter(it -> it.event().filter(CallForwarded.class::isInstance).isPresent())
        .findFirst()
        .map(it -> Math.clamp(micros(it.at()), 0, end))
        .orElse(Long.MAX_VALUE);
  }

  private long micros(String at) {
    return Math.floorDiv(EpochNanos.of(at) - beganAt, TimeUnit.MICROSECONDS.toNanos(1));
  }

  private List<List<TimeShare>> spent() {
    List<List<TimeShare>> spent = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < events.size(); i++) {
      CallEvent event = events.get(i).event().orElse(null);
      long at = at(i, event, before);
      spent.add(divided(before, at, event));
      events.get(i).event().ifPresent(this::take);
      before = at;
    }
    return spent;
  }

  private long at(int index, @Nullable CallEvent event, long before) {
    if (event instanceof CallReceived) {
      return before;
    }
    return last >= 0 && index >= last
        ? end
        : Math.clamp(micros(events.get(index).at()), before, end);
  }

  private List<TimeShare> divided(long from, long to, @Nullable CallEvent event) {
    if (isHeld) {
      return List.of(TimeShare.on(On.PERSON, to - from));
    }
    if (!questions.isEmpty()) {
      return List.of(TimeShare.on(On.CALLER, to - from));
    }
    List<TimeShare> parts = new ArrayList<>();
    long decided = from;
    for (Ruling ruling : rulings(event)) {
      long micros = Math.clamp(ruling.tookMicros(), 0, to - decided);
      parts.add(new TimeShare(On.GATE, ruling.gate(), micros));
      decided += micros;
    }
    long sent = Math.clamp(upstreamFrom, decided, to);
    add(parts, On.NODE, sent - decided);
    add(parts, On.UPSTREAM, to - sent);
    return parts;
  }

  private static void add(List<TimeShare> parts, On on, long micros) {
    if (micros > 0) {
      parts.add(TimeShare.on(on, micros));
    }
  }

  /** A denial of what was held repeats the rulings on which a person was asked. */
  private List<Ruling> rulings(@Nullable CallEvent event) {
    if (event instanceof CallAdmitted admitted) {
      return admitted.rulings();
    }
    if (event instanceof ApprovalRequested asked) {
      return asked.rulings();
    }
    return event instanceof GateDenied denied && !wasHeld ? denied.rulings() : List.of();
  }

  private void take(CallEvent event) {
    switch (event) {
      case ApprovalRequested _ -> {
        isHeld = true;
        wasHeld = true;
      }
      case ApprovalGranted _,
          ApprovalRejected _,
          ApprovalTimedOut _,
          GateDenied _,
          CallAdmitted _ ->
          isHeld = false;
      case SourceAsked asked -> questions.add(asked.question());
      case CallerReplied replied -> questions.remove(replied.question());
      case CallReceived _, CallForwarded _, TaskCreated _, ResultKept _, CallEnd _ -> {
        // who has the call is told by its time
      }
    }
  }
}
