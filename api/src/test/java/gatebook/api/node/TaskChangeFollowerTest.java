package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.CallAbandoned;
import gatebook.events.CallAbandoned.Cause;
import gatebook.events.Event;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.tree.TaskContent;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which changes of tasks are reported to the trees and the calls of this process. */
final class TaskChangeFollowerTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final UUID TREE = new UUID(1, 1);
  private static final UUID OTHER = new UUID(1, 2);
  private static final UUID CALL = new UUID(1, 3);
  private static final TaskContent CONTENT = new TaskContent("a", null, 2, List.of(), null, "{}");

  @TempDir private Path directory;

  private final EventVocabulary eventVocabulary = MemoryContentKeys.vocabulary();
  private final List<String> reported = new CopyOnWriteArrayList<>();
  private Journal journal;
  private TaskChangeFollower follower;

  @BeforeEach
  void open() {
    journal = RealJournal.open(directory);
    follower = new TaskChangeFollower(journal);
  }

  @AfterEach
  void close() {
    follower.close();
    journal.close();
  }

  @Test
  void aTreeIsToldItsOwnCancelledTasksInOrder() {
    Runnable _ = follower.follow(TREE, event -> reported.add(event.taskId()));

    record(cancelled(TREE, "first"));
    record(cancelled(OTHER, "foreign"), started("running"));
    record(cancelled(TREE, "second"), cancelled(TREE, "third"));

    await().until(() -> reported.contains("third"));
    assertThat(reported).containsExactly("first", "second", "third");
  }

  @Test
  void aTreeIsToldWhatItsOwnerChanges() {
    List<TreeTaskEvent> changes = new CopyOnWriteArrayList<>();
    Runnable _ = follower.follow(TREE, changes::add);

    record(updated("a"), started("a"), deleted("b"), cancelled(TREE, "c"));

    await().until(() -> changes.size() == 3);
    assertThat(changes).isEqualTo(List.of(updated("a"), deleted("b"), cancelled(TREE, "c")));
  }

  @Test
  void aTreeIsToldWhatIsRecordedWhileItRuns() {
    record(cancelled(TREE, "before"));
    Runnable stop = follower.follow(TREE, event -> reported.add(event.taskId()));
    record(cancelled(TREE, "meanwhile"));
    await().until(() -> reported.contains("meanwhile"));
    stop.run();
    record(cancelled(TREE, "after"));

    Runnable _ = follower.follow(TREE, event -> reported.add(event.taskId()));
    record(cancelled(TREE, "again"));

    await().until(() -> reported.contains("again"));
    assertThat(reported).containsExactly("meanwhile", "again");
  }

  @Test
  void anExecutionIsNotToldWhatWasRecordedBeforeIt() {
    List<String> all = new CopyOnWriteArrayList<>();
    Runnable _ = follower.follow(TREE, event -> all.add(event.taskId()));
    record(cancelled(TREE, "before"));
    Runnable _ = follower.follow(TREE, event -> reported.add(event.taskId()));

    record(cancelled(TREE, "after"));

    await().until(() -> all.contains("after") && reported.contains("after"));
    assertThat(all).containsExactly("before", "after");
    assertThat(reported).containsExactly("after");
  }

  @Test
  void theEndOfOneTreeStopsNoOther() {
    Runnable stop = follower.follow(OTHER, event -> reported.add(event.taskId()));
    Runnable _ = follower.follow(TREE, event -> reported.add(event.taskId()));
    stop.run();
    stop.run();

    record(cancelled(OTHER, "ended"));
    record(cancelled(TREE, "running"));

    await().until(() -> !reported.isEmpty());
    assertThat(reported).containsExactly("running");
  }

  @Test
  void cancellationsThatLeftTheMemoryAreReported() {
    Runnable _ = follower.follow(TREE, event -> reported.add(event.taskId()));

    record(
        Stream.concat(
                Stream.of(cancelled(TREE, "first")),
                IntStream.rangeClosed(0, JournalLimits.DEFAULT.tailEventsMax())
                    .mapToObj(_ -> started("running")))
            .toArray(Event[]::new));
    record(cancelled(TREE, "last"));

    await().until(() -> reported.contains("last"));
    assertThat(reported).containsExactly("first", "last");
  }

  @Test
  void aCallIsToldItsOwnCancellation() {
    Runnable stop = follower.followCall(CALL, () -> reported.add("call"));
    Runnable _ = follower.followCall(OTHER, () -> reported.add("other"));

    record(abandoned(TREE, Cause.CANCELLED), abandoned(OTHER, Cause.DISCONNECTED));
    record(abandoned(CALL, Cause.CANCELLED));
    await().until(() -> !reported.isEmpty());
    stop.run();
    record(abandoned(CALL, Cause.CANCELLED), abandoned(OTHER, Cause.CANCELLED));

    await().until(() -> reported.contains("other"));
    assertThat(reported).containsExactly("call", "other");
  }

  private static CallAbandoned abandoned(UUID callId, Cause cause) {
    return new CallAbandoned(callId, cause, true, 7);
  }

  private static TreeTaskCancelled cancelled(UUID treeId, String taskId) {
    return new TreeTaskCancelled(treeId, taskId, "ann", "Cancelled by user", CALL, NOON);
  }

  private static TreeTaskUpdated updated(String taskId) {
    return new TreeTaskUpdated(TREE, taskId, "ann", CONTENT, CALL, NOON);
  }

  private static TreeTaskDeleted deleted(String taskId) {
    return new TreeTaskDeleted(TREE, taskId, "ann", CALL, NOON);
  }

  private static TreeTaskStarted started(String taskId) {
    return new TreeTaskStarted(TREE, taskId, "ann", OTHER, 1, null, NOON);
  }

  /** Records events of another process. */
  private void record(Event... events) {
    List<DraftEvent> drafts =
        Stream.of(events).map(event -> eventVocabulary.draft(event, NOON)).toList();
    assertThat(journal.append("other", ConflictCondition.none(), drafts).join())
        .isInstanceOf(Append.Stored.class);
  }
}
