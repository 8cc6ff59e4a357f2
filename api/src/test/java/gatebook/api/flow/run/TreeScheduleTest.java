package gatebook.api.flow.run;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.FlowTasks;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskDraft;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TreeScheduleTest {
  private static final int TREES = 300;

  @Test
  void tasksAreScheduledWithoutResults() {
    ReadTask completed = FlowTasks.completed(draft("completed"), "{\"n\":1}");
    ReadTask waiting = FlowTasks.pending(draft("waiting"));

    TreeSchedule schedule =
        TreeSchedule.of(List.of(completed, waiting), Set.of("completed", "waiting"));

    assertThat(schedule.tasks())
        .extracting(ScheduledTask::id)
        .containsExactly("completed", "waiting");
    assertThat(schedule.tasks())
        .extracting(ScheduledTask::task)
        .allMatch(task -> task.result() == null && task.task().result() == null);
  }

  private static TaskDraft draft(String id) {
    return new TaskDraft(id, null, id, null, 2, List.of(), "{}", null);
  }

  @Test
  void readyTasksStartByPriorityAndThenInOrder() {
    TreeSchedule schedule =
        GivenSchedule.of("root")
            .task("late", 3)
            .task("first", 0)
            .task("b", 1)
            .task("a", 1)
            .schedule();

    assertThat(startAll(schedule)).containsExactly("first", "b", "a", "root", "late");
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETED, true, true",
    "COMPLETED, false, true",
    "FAILED, true, false",
    "FAILED, false, true",
    "CANCELLED, true, false",
    "CANCELLED, false, true"
  })
  void aDependentStartsWhenItsDependencyEndedWell(
      TreeStatus end, boolean required, boolean starts) {
    TreeSchedule schedule =
        GivenSchedule.of("root", new TaskDependency("child", required)).task("child").schedule();
    ScheduledTask child = schedule.start();

    assertThat(child.id()).isEqualTo("child");
    assertThat(schedule.hasReady()).isFalse();
    schedule.end(child, end);
    assertThat(schedule.hasReady()).isEqualTo(starts);
    assertThat(schedule.hasEnded()).isEqualTo(!starts);
    assertThat(schedule.blocked()).isEqualTo(List.of("root"));
  }

  @Test
  void onlyTasksOfTheExecutionRun() {
    TreeSchedule schedule =
        GivenSchedule.of("root")
            .task("a")
            .task("b", new TaskDependency("a", true))
            .task("c", new TaskDependency("b", false))
            .task("other")
            .schedule("b", "a");

    assertThat(startAll(schedule)).containsExactly("a");
    assertThat(schedule.tasks()).extracting(ScheduledTask::id).containsExactly("a", "b");
  }

  @Test
  void aCompletedDependencyIsSatisfiedAtOnce() {
    TreeSchedule schedule =
        GivenSchedule.of("root", new TaskDependency("done", true))
            .task("done", TreeStatus.COMPLETED)
            .schedule();

    assertThat(startAll(schedule)).containsExactly("root");
  }

  @Test
  void aCancelledTaskNeverStarts() {
    TreeSchedule schedule = GivenSchedule.of("root").task("a").schedule();

    ScheduledTask task = schedule.task("a").orElseThrow();

    assertThat(schedule.withdraw(task)).isTrue();
    assertThat(startAll(schedule)).containsExactly("root");

    schedule.end(task, TreeStatus.CANCELLED);
    assertThat(task.status()).isEqualTo(TreeStatus.CANCELLED);
  }

  @Test
  void aRunningTaskIsNotWithdrawn() {
    TreeSchedule schedule = GivenSchedule.of("root").schedule();

    assertThat(schedule.withdraw(schedule.start())).isFalse();
  }

  @Test
  void aChangedTaskWaitsForWhatItDependsOnNow() {
    TreeSchedule schedule =
        GivenSchedule.of("root", new TaskDependency("a", true)).task("a").task("b").schedule();

    assertThat(schedule.replace(GivenSchedule.changed("root", 2, new TaskDependency("b", true))))
        .isTrue();

    ScheduledTask a = schedule.start();
    ScheduledTask b = schedule.start();
    schedule.end(a, TreeStatus.FAILED);
    assertThat(schedule.hasReady()).isFalse();
    schedule.end(b, TreeStatus.COMPLETED);
    assertThat(startAll(schedule)).containsExactly("root");
  }

  @Test
  void aChangedTaskHasItsPriorityOfNow() {
    TreeSchedule schedule = GivenSchedule.of("root").task("a", 1).task("b", 3).schedule();

    assertThat(schedule.replace(GivenSchedule.changed("b", 0))).isTrue();

    assertThat(startAll(schedule)).containsExactly("b", "a", "root");
  }

  @Test
  void aTaskThatDependsOnAnUnknownOneWaits() {
    TreeSchedule schedule = GivenSchedule.of("root").schedule();

    assertThat(schedule.replace(GivenSchedule.changed("root", 2, new TaskDependency("new", false))))
        .isTrue();

    assertThat(schedule.hasEnded()).isTrue();
    assertThat(schedule.blocked()).containsExactly("root");
  }

  @Test
  void aTaskThatRunsIsNotReplaced() {
    TreeSchedule schedule = GivenSchedule.of("root").schedule();
    ScheduledTask root = schedule.start();

    assertThat(schedule.replace(GivenSchedule.changed("root", 0))).isFalse();

    schedule.restart(root, GivenSchedule.changed("root", 0));
    assertThat(schedule.hasEnded()).isFalse();
    assertThat(startAll(schedule)).containsExactly("root");
  }

  @Test
  void aDeletedTaskIsNoPartOfTheSchedule() {
    TreeSchedule schedule = GivenSchedule.of("root").task("a").task("b").schedule();
    schedule.remove(schedule.task("a").orElseThrow());
    ScheduledTask root = schedule.start();
    schedule.remove(schedule.start());

    schedule.end(root, TreeStatus.COMPLETED);

    assertThat(schedule.hasEnded()).isTrue();
    assertThat(schedule.status()).isEqualTo(TreeStatus.COMPLETED);
    assertThat(schedule.blocked()).isEmpty();
  }

  private static List<String> startAll(TreeSchedule schedule) {
    List<String> started = new ArrayList<>();
    while (schedule.hasReady()) {
      started.add(schedule.start().id());
    }
    return started;
  }

  /**
   * Runs random trees in random interleavings, where some tasks always fail: no task starts before
   * what it requires is completed, each runs once, and every interleaving ends alike.
   */
  @Test
  void everyInterleavingEndsAlike() {
    long seed = Long.getLong("gatebook.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < TREES; i++) {
      GivenSchedule tree = GivenSchedule.random(random);
      Map<String, TreeStatus> first = run(tree, random.split(), seed);
      for (int again = 0; again < 3; again++) {
        assertThat(run(tree, random.split(), seed)).as("seed %d", seed).isEqualTo(first);
      }
    }
  }

  private static Map<String, TreeStatus> run(
      GivenSchedule tree, SplittableRandom random, long seed) {
    TreeSchedule schedule = tree.schedule();
    List<ScheduledTask> running = new ArrayList<>();
    List<String> started = new ArrayList<>();
    while (!schedule.hasEnded()) {
      if (schedule.hasReady() && (running.isEmpty() || random.nextBoolean())) {
        ScheduledTask next = schedule.start();
        assertThat(tree.mayStart(next.id(), schedule)).as("seed %d", seed).isTrue();
        started.add(next.id());
        running.add(next);
      } else {
        ScheduledTask ending = running.remove(random.nextInt(running.size()));
        schedule.end(ending, tree.fails(ending.id()) ? TreeStatus.FAILED : TreeStatus.COMPLETED);
      }
    }
    assertThat(started).as("seed %d", seed).doesNotHaveDuplicates();
    Map<String, TreeStatus> statuses = new HashMap<>();
    schedule.tasks().forEach(task -> statuses.put(task.id(), task.status()));
    return statuses;
  }
}
