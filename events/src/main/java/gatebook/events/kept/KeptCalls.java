package gatebook.events.kept;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallEnd;
import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.MessageRefused;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The calls of a range of events that stay: those that did not begin and end in it, those whose
 * outcome their caller may still fetch, and those that go on after it.
 *
 * <p>A call stays or goes as a whole. So one that an earlier drop kept a part of stays, too, and
 * nothing that ended looks as if it were open.
 */
final class KeptCalls {
  private static final int BEGUN = 1;
  private static final int ENDED = 1 << 1;

  /** The call may have events after its end, or did something that need not end with it. */
  private static final int MAY_GO_ON = 1 << 2;

  private static final int STAYS = 1 << 3;

  private final Instant now;
  private final Map<UUID, Integer> seen = new HashMap<>();

  /** {@code now} decides whether the outcome of a task may still be fetched. */
  KeptCalls(Instant now) {
    this.now = now;
  }

  /** Adds the next event of the range. */
  void add(CallEvent event) {
    int before = seen.getOrDefault(event.callId(), 0);
    seen.put(event.callId(), before | flags(event) | afterEnd(before));
  }

  /** Something happened to the call after its end, so it may happen again. */
  private static int afterEnd(int before) {
    return (before & ENDED) == 0 ? 0 : MAY_GO_ON;
  }

  /** Keeps a call for another reason. */
  void keep(UUID call) {
    seen.merge(call, STAYS, (before, stays) -> before | stays);
  }

  private int flags(CallEvent event) {
    return switch (event) {
      case CallReceived received -> BEGUN | (isSession(received) ? MAY_GO_ON : 0);
      case MessageRefused _ -> BEGUN | ENDED;
      case CallEnd _ -> ENDED;
      case TaskCreated created -> MAY_GO_ON | (isKept(created) ? STAYS : 0);
      case AgentTaskCreated created -> MAY_GO_ON | (isTold(created) ? STAYS : 0);
      case ApprovalRequested _, SourceAsked _, CallerReplied _ -> MAY_GO_ON;
      default -> 0;
    };
  }

  /**
   * A source's question that belongs to no call is recorded with the one that opened the session.
   */
  private static boolean isSession(CallReceived received) {
    return received.method().equals("initialize");
  }

  private boolean isKept(TaskCreated created) {
    return now.isBefore(created.createdAt().plusMillis(created.ttlMillis()));
  }

  /** The call says which ids of the agent stand behind those that the owner asks for. */
  private static boolean isTold(AgentTaskCreated created) {
    return created.toldTaskId() != null || created.toldContextId() != null;
  }

  /**
   * The calls that stay.
   *
   * @param goesOn whether a call has events after the range; asked for few calls
   */
  Set<UUID> find(Predicate<UUID> goesOn) {
    Set<UUID> kept = new HashSet<>();
    seen.forEach((call, flags) -> {
      boolean isWhole = (flags & (BEGUN | ENDED)) == (BEGUN | ENDED);
      if (!isWhole || (flags & STAYS) != 0 || ((flags & MAY_GO_ON) != 0 && goesOn.test(call))) {
        kept.add(call);
      }
    });
    return kept;
  }
}
