package gatebook.command.tree;

import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.root;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.tree.execution.ExecutionDecider;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.CircularDependency;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random trees, the same in each run, checked against a plain definition of a cycle. */
final class RandomTreesTest {
  private static final int TREES = 3_000;

  private final Random random = new Random(20);

  @Test
  void everyCycleIsFoundAndEveryReportedOneIsReal() {
    int cyclic = 0;
    for (int i = 0; i < TREES; i++) {
      List<TaskDraft> drafts = drafts(1 + random.nextInt(12), random.nextDouble() * 1.5, false);
      List<TaskFault> faults = faults(drafts);
      assertThat(faults.isEmpty()).as(drafts.toString()).isEqualTo(isAcyclic(drafts));
      faults.forEach(fault -> assertThat(isCycleOf(fault, drafts)).as(fault.toString()).isTrue());
      cyclic += faults.size();
    }
    assertThat(cyclic).isBetween(TREES / 5, TREES * 4 / 5);
  }

  @Test
  void treeWithoutACycleIsNeverRefused() {
    for (int i = 0; i < TREES; i++) {
      assertThat(faults(drafts(1 + random.nextInt(30), random.nextDouble() * 4, true))).isEmpty();
    }
  }

  @Test
  void endedRootLeadsToAllThatIsLeftToDo() {
    int refused = 0;
    for (int i = 0; i < TREES; i++) {
      Map<String, TreeStatus> statuses = new HashMap<>();
      TreeTasks tasks =
          endedRoot(drafts(1 + random.nextInt(6), random.nextDouble(), true), statuses);
      boolean isLeft =
          statuses.containsValue(TreeStatus.FAILED) || statuses.containsValue(TreeStatus.PENDING);
      TreeOutcome outcome =
          ExecutionDecider.decide(GivenTree.executeWithCascade("0"), null, tasks, GivenTree.RULES)
              .outcome();
      assertThat(outcome instanceof TreeOutcome.Done).as(statuses.toString()).isEqualTo(isLeft);
      refused += isLeft ? 0 : 1;
    }
    assertThat(refused).isBetween(TREES / 10, TREES * 9 / 10);
  }

  /** A tree whose root is completed or cancelled, with other tasks in any state but in progress. */
  private TreeTasks endedRoot(List<TaskDraft> drafts, Map<String, TreeStatus> statuses) {
    TreeTasks tasks = new TreeTasks();
    for (TaskDraft draft : drafts) {
      String id = draft.id();
      tasks.evolve(GivenTree.created(draft));
      switch (random.nextInt(id.equals("0") ? 2 : 4)) {
        case 0 -> {
          tasks.evolve(GivenTree.started(id, 1));
          tasks.evolve(GivenTree.completed(id, 1));
        }
        case 1 -> tasks.evolve(GivenTree.cancelled(id));
        case 2 -> {
          tasks.evolve(GivenTree.started(id, 1));
          tasks.evolve(GivenTree.failed(id, 1));
        }
        default -> {
          // it stays pending
        }
      }
      statuses.put(id, tasks.task(id).orElseThrow().status());
    }
    return tasks;
  }

  /** Parents and, in an acyclic tree, dependencies are tasks with a smaller number. */
  private List<TaskDraft> drafts(int size, double dependenciesEach, boolean acyclic) {
    List<TaskDraft> drafts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      String[] dependencies = dependencies(acyclic ? i : size, dependenciesEach);
      drafts.add(
          i == 0 ? root("0", dependencies) : draft("" + i, "" + random.nextInt(i), dependencies));
    }
    Collections.shuffle(drafts, random);
    return drafts;
  }

  private String[] dependencies(int below, double average) {
    return below == 0
        ? new String[0]
        : Stream.generate(() -> random.nextInt(below) + (random.nextBoolean() ? "?" : ""))
            .limit(Math.round(random.nextDouble() * 2 * average))
            .toArray(String[]::new);
  }

  private static List<TaskFault> faults(List<TaskDraft> drafts) {
    return TreeStructure.faults(new TreeTasks(), drafts, GatewayLimits.DEFAULT);
  }

  /** Tasks without open dependencies are taken away until none is left, or only cycles are. */
  private static boolean isAcyclic(List<TaskDraft> drafts) {
    Map<String, Set<String>> open = dependencies(drafts);
    boolean shrinks = true;
    while (shrinks) {
      shrinks = open.values().removeIf(Set::isEmpty);
      open.values().forEach(dependencies -> dependencies.retainAll(open.keySet()));
    }
    return open.isEmpty();
  }

  private static boolean isCycleOf(TaskFault fault, List<TaskDraft> drafts) {
    List<String> cycle = ((CircularDependency) fault).cycle();
    Map<String, Set<String>> dependencies = dependencies(drafts);
    boolean allDepend = true;
    for (int i = 1; i < cycle.size(); i++) {
      allDepend &= dependencies.getOrDefault(cycle.get(i - 1), Set.of()).contains(cycle.get(i));
    }
    return allDepend
        && cycle.size() > 1
        && cycle.getFirst().equals(cycle.getLast())
        && new HashSet<>(cycle).size() == cycle.size() - 1;
  }

  private static Map<String, Set<String>> dependencies(List<TaskDraft> drafts) {
    Map<String, Set<String>> dependencies = new HashMap<>();
    for (TaskDraft draft : drafts) {
      Set<String> ids = new HashSet<>();
      draft.dependencies().stream().map(TaskDependency::id).forEach(ids::add);
      dependencies.put(draft.id(), ids);
    }
    return dependencies;
  }
}
