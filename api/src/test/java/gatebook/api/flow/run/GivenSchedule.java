package gatebook.api.flow.run;

import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TaskOrigin;
import gatebook.command.tree.TreeTask;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A schedule of tasks given to tests. Every task but the root is a child of the root. */
final class GivenSchedule {
  static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final UUID TREE = UUID.fromString("0192aaaa-0000-7000-8000-00000000abce");
  private static final String DEFINITION = "{}";
  private static final int DEFAULT_PRIORITY = 2;

  private final List<ReadTask> tasks = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();

  static GivenSchedule of(String root, TaskDependency... dependencies) {
    return new GivenSchedule()
        .add(root, DEFAULT_PRIORITY, TreeStatus.PENDING, List.of(dependencies));
  }

  /** Up to 20 tasks that depend on earlier ones; some of them fail. */
  static GivenSchedule random(SplittableRandom random) {
    GivenSchedule tree = new GivenSchedule();
    int count = 1 + random.nextInt(20);
    for (int task = 0; task < count; task++) {
      List<TaskDependency> dependencies = new ArrayList<>();
      for (int earlier = task + 1; earlier < count; earlier++) {
        if (random.nextInt(4) == 0) {
          dependencies.add(new TaskDependency(Integer.toString(earlier), random.nextBoolean()));
        }
      }
      tree.add(Integer.toString(task), random.nextInt(4), TreeStatus.PENDING, dependencies);
      if (random.nextInt(5) == 0) {
        tree.failing.add(Integer.toString(task));
      }
    }
    return tree;
  }

  GivenSchedule task(String id, TaskDependency... dependencies) {
    return add(id, DEFAULT_PRIORITY, TreeStatus.PENDING, List.of(dependencies));
  }

  GivenSchedule task(String id, int priority) {
    return add(id, priority, TreeStatus.PENDING, List.of());
  }

  GivenSchedule task(String id, TreeStatus status) {
    return add(id, DEFAULT_PRIORITY, status, List.of());
  }

  private GivenSchedule add(
      String id, int priority, TreeStatus status, List<TaskDependency> dependencies) {
    String parent = tasks.isEmpty() ? null : tasks.getFirst().id();
    tasks.add(read(id, parent, priority, status, dependencies));
    return this;
  }

  /** A task that is changed to depend on these. */
  static ReadTask changed(String id, int priority, TaskDependency... dependencies) {
    return read(id, "root", priority, TreeStatus.PENDING, List.of(dependencies));
  }

  private static ReadTask read(
      String id,
      @Nullable String parent,
      int priority,
      TreeStatus status,
      List<TaskDependency> dependencies) {
    return new ReadTask(
        new TreeTask(
            TREE,
            new TaskKey("ada", id),
            parent,
            new TaskContent(id, null, priority, dependencies, null, DEFINITION),
            status,
            0,
            0,
            null,
            null,
            null,
            null,
            NOON,
            NOON,
            null,
            null,
            TaskOrigin.OWN),
        "{}",
        null);
  }

  /** All tasks. */
  TreeSchedule schedule() {
    return schedule(tasks.stream().map(task -> task.id()).toArray(String[]::new));
  }

  /** Only some of the tasks. */
  TreeSchedule schedule(String... executing) {
    return TreeSchedule.of(tasks, Set.of(executing));
  }

  boolean fails(String id) {
    return failing.contains(id);
  }

  /** Whether everything that a task requires is completed, and all else it depends on has ended. */
  boolean mayStart(String id, TreeSchedule schedule) {
    return tasks.stream()
        .filter(task -> task.id().equals(id))
        .flatMap(task -> task.task().content().dependencies().stream())
        .allMatch(dependency -> {
          TreeStatus status = schedule.task(dependency.id()).orElseThrow().status();
          return dependency.required() ? status == TreeStatus.COMPLETED : status.isTerminal();
        });
  }
}
