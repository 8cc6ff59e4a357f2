package gatebook.query.call;

import gatebook.events.AgentTaskCreated;
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
import gatebook.query.call.TimeShare.On;
import gatebook.query.projection.EpochNanos;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The timing of a call: divides the time from its receipt to each of its events by who had the
 * call. All parts of a call that ended add up to its duration, cut to whole milliseconds.
 *
 * <p>Events that were recorded together have the same time. The time before them is shown with the
 * first of them that was not recorded at the beginning. Clocks may disagree: no part is negative,
 * and none extends beyond the call's end.
 */
public final class CallTiming {
  private static final long MILLI = TimeUnit.MILLISECONDS.toMicros(1);

  private final List<TimedEvent> events;
  private final long beganAt;
  private final int last;
  private final long end;
  private final long upstreamFrom;
  private final Set<String> questions = new HashSet<>();
  private boolean isHeld;
  private boolean wasHeld;

  /**
   * An event of the call with its time.
   *
   * @param event absent when this version cannot read it
   * @param at RFC 3339, UTC
   */
  public record TimedEvent(Optional<CallEvent> event, String at) {}

  /** The times that the end of a call reports: the total, and the part that the upstream took. */
  private record EndTimes(long totalMillis, @Nullable Long upstreamMillis) {}

  private CallTiming(List<TimedEvent> events) {
    this.events = events;
    this.beganAt = beganAt(events);
    this.last = lastEnd(events);
    this.end = last < 0 ? Long.MAX_VALUE : end(endTimes(events.get(last)), events.get(last).at());
    this.upstreamFrom = upstreamFrom();
  }

  /** For each event, the parts of the time since the previous one. */
  public static List<List<TimeShare>> of(List<TimedEvent> events) {
    return events.isEmpty() ? List.of() : new CallTiming(events).shares();
  }

  private static long beganAt(List<TimedEvent> events) {
    TimedEvent first = events.getFirst();
    return first.event().orElse(null) instanceof CallReceived received
        ? EpochNanos.of(received.receivedAt())
        : EpochNanos.of(first.at());
  }

  private static int lastEnd(List<TimedEvent> events) {
    int last = events.size() - 1;
    while (last >= 0 && endTimes(events.get(last)) == null) {
      last--;
    }
    return last;
  }

  private static @Nullable EndTimes endTimes(TimedEvent timedEvent) {
    return timedEvent.event().orElse(null) instanceof CallEnd end ? endTimes(end) : null;
  }

  private static @Nullable EndTimes endTimes(CallEnd end) {
    return switch (end) {
      case CallAnswered it -> new EndTimes(it.totalMillis(), it.upstreamMillis());
      case ErrorTranslated it -> new EndTimes(it.totalMillis(), it.upstreamMillis());
      case CallAbandoned it -> new EndTimes(it.totalMillis(), null);
      case CallOrphaned _, MessageRefused _ -> null;
    };
  }

  /**
   * The call's end in microseconds: the recorded milliseconds, refined by the event's time when
   * that is in the same millisecond.
   */
  private long end(@Nullable EndTimes endTimes, String at) {
    long whole = endTimes == null ? 0 : TimeUnit.MILLISECONDS.toMicros(endTimes.totalMillis());
    long more = micros(at) - whole;
    return more < 0 || more >= 2 * MILLI ? whole : whole + Math.min(more, MILLI - 1);
  }

  /**
   * When the upstream began to have the call. If the end does not report it, this is the time of
   * forwarding.
   */
  private long upstreamFrom() {
    EndTimes endTimes = last < 0 ? null : endTimes(events.get(last));
    if (endTimes != null && endTimes.upstreamMillis() != null) {
      return Math.max(0, end - TimeUnit.MILLISECONDS.toMicros(endTimes.upstreamMillis()));
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

  private List<List<TimeShare>> shares() {
    List<List<TimeShare>> shares = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < events.size(); i++) {
      CallEvent event = events.get(i).event().orElse(null);
      long at = at(i, event, before);
      shares.add(divide(before, at, event));
      events.get(i).event().ifPresent(this::apply);
      before = at;
    }
    return shares;
  }

  private long at(int index, @Nullable CallEvent event, long before) {
    if (event instanceof CallReceived) {
      return before;
    }
    return last >= 0 && index >= last
        ? end
        : Math.clamp(micros(events.get(index).at()), before, end);
  }

  private List<TimeShare> divide(long from, long to, @Nullable CallEvent event) {
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

  /**
   * The rulings whose time this event shows. The denial of a held call repeats the rulings that led
   * to the approval request.
   */
  private List<Ruling> rulings(@Nullable CallEvent event) {
    if (event instanceof CallAdmitted admitted) {
      return admitted.rulings();
    }
    if (event instanceof ApprovalRequested asked) {
      return asked.rulings();
    }
    return event instanceof GateDenied denied && !wasHeld ? denied.rulings() : List.of();
  }

  private void apply(CallEvent event) {
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
      case CallReceived _,
          CallForwarded _,
          TaskCreated _,
          ResultKept _,
          AgentTaskCreated _,
          CallEnd _ -> {
        // the call stays where it is
      }
    }
  }
}
