package gatebook.api.mcp;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.events.fault.TaskFault;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * The errors about tasks that were cancelled or have expired, each with the call that got it first.
 * Every later request about such a task gets the same error, which is not counted again.
 *
 * <p>The data exists in this process only and is lost when it ends.
 */
final class EndedTaskErrors {

  private static final int ERRORS_MAX = 10_000;
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final SequencedMap<TaskFault, UUID> firstCalls =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

  /** The error for a call, an earlier call's unless the call is the first that gets it. */
  synchronized Ended error(TaskFault fault, UUID callId) {
    UUID firstCall = firstCalls.putIfAbsent(fault, callId);
    if (firstCalls.size() > ERRORS_MAX) {
      firstCalls.pollFirstEntry();
    }
    return firstCall == null ? new Ended.Failure(fault) : new Ended.EarlierError(fault, firstCall);
  }
}
