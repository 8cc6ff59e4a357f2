package gatebook.query.trees;

import gatebook.events.call.KeptContent;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import gatebook.query.call.CallView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A view of one task of a tree for operators.
 *
 * @param attempt how often it began to run
 * @param origin whether it is a link, and to which task, and whether it is archived; absent when it
 *     is neither
 * @param result what the journal keeps of the result; absent unless it is completed
 * @param error absent unless it failed or was cancelled
 * @param code the error code of the call to its tool; absent when there was none
 * @param callId the call to its tool that ended it last; absent when there was none
 * @param calls the calls that ran it, newest first, without their events
 */
public record TreeTaskView(
    String taskId,
    @Nullable String parentId,
    TaskContent content,
    TreeStatus status,
    int attempt,
    @Nullable String origin,
    @Nullable KeptContent result,
    @Nullable String error,
    @Nullable Integer code,
    @Nullable UUID callId,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant deletedAt,
    List<CallView> calls) {

  public TreeTaskView {
    calls = List.copyOf(calls);
  }

  /** The duration of the last attempt; empty while it runs, and before the first one. */
  public Optional<Duration> duration() {
    return startedAt == null || endedAt == null
        ? Optional.empty()
        : Optional.of(Duration.between(startedAt, endedAt));
  }
}
