package gatebook.command.tree;

import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.root;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenTree;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.CircularDependency;
import gatebook.events.fault.TaskFault.InvalidDependencyReference;
import gatebook.events.fault.TaskFault.InvalidParentReference;
import gatebook.events.fault.TaskFault.TaskTreeInvalid;
import gatebook.events.fault.TaskFault.TreeDefect;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class TreeStructureTest {
  private static final GatewayLimits ANY_DEPTH = LimitsOfTrees.of(10_000, 10_000);

  @Test
  void treeWithOptionalAndRequiredDependenciesIsRight() {
    assertThat(faults(root("a", "b", "c?"), draft("b", "a"), draft("c", "b", "b"))).isEmpty();
  }

  @Test
  void taskMayDependOnChildrenParentsAndAncestors() {
    assertThat(faults(root("a", "b"), draft("b", "a", "c"), draft("c", "b"))).isEmpty();
    assertThat(faults(root("a"), draft("b", "a", "a"), draft("c", "b", "a"))).isEmpty();
  }

  @Test
  void taskThatDependsOnItselfIsACycle() {
    assertThat(faults(root("a", "a"))).containsExactly(cycle("a", "a"));
  }

  @Test
  void cycleOfTwoIsNamed() {
    assertThat(faults(root("a", "b"), draft("b", "a", "a"))).containsExactly(cycle("a", "b", "a"));
  }

  @Test
  void cycleOfThreeIsNamed() {
    assertThat(faults(root("a", "b?"), draft("b", "a", "c"), draft("c", "a", "a")))
        .containsExactly(cycle("a", "b", "c", "a"));
  }

  @Test
  void cycleLeavesOutTasksThatOnlyLeadToIt() {
    assertThat(faults(root("r", "a"), draft("a", "r", "b"), draft("b", "r", "a")))
        .containsExactly(cycle("a", "b", "a"));
  }

  @Test
  void severalRootsAreReportedTogether() {
    assertThat(faults(root("a"), root("b"), root("c")))
        .containsExactly(
            new TaskTreeInvalid(TreeDefect.SEVERAL_ROOTS, "b"),
            new TaskTreeInvalid(TreeDefect.SEVERAL_ROOTS, "c"));
  }

  @Test
  void tasksWithoutARootAreNoTree() {
    assertThat(faults()).containsExactly(new TaskTreeInvalid(TreeDefect.NO_ROOT, null));
    assertThat(faults(draft("a", "b"), draft("b", "a")))
        .containsExactly(new TaskTreeInvalid(TreeDefect.NO_ROOT, null));
    assertThat(faults(draft("a", "a")))
        .containsExactly(new TaskTreeInvalid(TreeDefect.NO_ROOT, null));
  }

  @Test
  void parentsThatAreMissingAreReportedTogether() {
    assertThat(faults(root("a"), draft("b", "x"), draft("c", "y"), draft("d", "a")))
        .containsExactly(
            new InvalidParentReference("b", "x", null), new InvalidParentReference("c", "y", null));
  }

  @Test
  void cycleOfParentsNamesATaskOnIt() {
    assertThat(faults(root("r"), draft("d", "a"), draft("a", "b"), draft("b", "a")))
        .containsExactly(new TaskTreeInvalid(TreeDefect.PARENT_CYCLE, "a"));
    assertThat(faults(root("r"), draft("s", "s")))
        .containsExactly(new TaskTreeInvalid(TreeDefect.PARENT_CYCLE, "s"));
  }

  @Test
  void dependenciesThatAreMissingAreReportedTogether() {
    assertThat(faults(root("a", "x", "b", "y?"), draft("b", "a", "z")))
        .containsExactly(
            new InvalidDependencyReference("a", "x"),
            new InvalidDependencyReference("a", "y"),
            new InvalidDependencyReference("b", "z"));
  }

  @Test
  void kindsOfFaultsAreReportedInTheirOrder() {
    List<TaskDraft> drafts =
        new ArrayList<>(
            List.of(root("a"), draft("s", "s", "s"), root("c"), draft("b", "x"), root("d", "z")));

    assertThat(faults(drafts)).containsExactly(new InvalidParentReference("b", "x", null));
    drafts.remove(3);
    assertThat(faults(drafts)).hasOnlyElementsOfType(TaskTreeInvalid.class).hasSize(2);
    drafts.remove(2);
    drafts.set(2, draft("d", "a", "z"));
    assertThat(faults(drafts)).containsExactly(new TaskTreeInvalid(TreeDefect.PARENT_CYCLE, "s"));
    drafts.set(1, draft("s", "a", "s"));
    assertThat(faults(drafts)).containsExactly(new InvalidDependencyReference("d", "z"));
    drafts.remove(2);
    assertThat(faults(drafts)).containsExactly(cycle("s", "s"));
  }

  @Test
  void addedTasksAreCheckedWithThoseThatExist() {
    TreeTasks tasks = tasks(root("a", "b"), draft("b", "a"));

    assertThat(added(tasks, draft("c", "b", "a"))).isEmpty();
    assertThat(added(tasks, root("c")))
        .containsExactly(new TaskTreeInvalid(TreeDefect.SEVERAL_ROOTS, "c"));
    assertThat(added(tasks, draft("c", "x")))
        .containsExactly(new InvalidParentReference("c", "x", null));
  }

  @Test
  void updateIsCheckedForDependenciesAlone() {
    TreeTasks tasks = tasks(root("a", "b"), draft("b", "a"));

    assertThat(TreeStructure.dependencyFaults(tasks, root("b"))).isEmpty();
    assertThat(TreeStructure.dependencyFaults(tasks, root("b", "x")))
        .containsExactly(new InvalidDependencyReference("b", "x"));
    assertThat(TreeStructure.dependencyFaults(tasks, root("b", "a")))
        .containsExactly(cycle("b", "a", "b"));
  }

  @Test
  void treeHasAtMostTheTasksOfItsLimit() {
    List<TaskDraft> drafts = List.of(root("a"), draft("b", "a"), draft("c", "a"));

    assertThat(TreeStructure.faults(new TreeTasks(), drafts, LimitsOfTrees.of(3, 9))).isEmpty();
    assertThat(TreeStructure.faults(new TreeTasks(), drafts, LimitsOfTrees.of(2, 9)))
        .containsExactly(new TaskTreeInvalid(TreeDefect.TOO_MANY_TASKS, null));
    assertThat(
            TreeStructure.faults(
                tasks(root("a")), List.of(draft("b", "a")), LimitsOfTrees.of(1, 9)))
        .containsExactly(new TaskTreeInvalid(TreeDefect.TOO_MANY_TASKS, null));
  }

  @Test
  void theFirstTaskThatIsTooDeepIsNamed() {
    List<TaskDraft> drafts =
        List.of(draft("d", "c"), draft("c", "b"), draft("b", "a"), draft("e", "b"), root("a"));

    assertThat(TreeStructure.faults(new TreeTasks(), drafts, LimitsOfTrees.of(9, 4))).isEmpty();
    assertThat(TreeStructure.faults(new TreeTasks(), drafts, LimitsOfTrees.of(9, 2)))
        .containsExactlyInAnyOrder(
            new TaskTreeInvalid(TreeDefect.TOO_DEEP, "c"),
            new TaskTreeInvalid(TreeDefect.TOO_DEEP, "e"));
  }

  @Test
  void treeHas256LevelsByDefault() {
    assertThat(TreeStructure.faults(new TreeTasks(), chain(256), GatewayLimits.DEFAULT)).isEmpty();
    assertThat(TreeStructure.faults(new TreeTasks(), chain(257), GatewayLimits.DEFAULT))
        .containsExactly(new TaskTreeInvalid(TreeDefect.TOO_DEEP, "256"));
  }

  /** A check whose time grows with the square of the size needs a hundred times the time. */
  @Test
  void longChainsAreCheckedInLinearTime() {
    long thousand = processorNanosToCheck(1_000);
    long tenThousand = processorNanosToCheck(10_000);
    for (int round = 0; round < 100 && tenThousand >= 40 * thousand; round++) {
      thousand = Math.min(thousand, processorNanosToCheck(1_000));
      tenThousand = Math.min(tenThousand, processorNanosToCheck(10_000));
    }

    assertThat(tenThousand).isLessThan(40 * thousand);
  }

  /** Each task is below the one before and depends on it; the first comes last. */
  private static long processorNanosToCheck(int size) {
    List<TaskDraft> drafts = new ArrayList<>(chain(size));
    Collections.reverse(drafts);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    assertThat(TreeStructure.faults(new TreeTasks(), drafts, ANY_DEPTH)).isEmpty();
    return threads.getCurrentThreadCpuTime() - begun;
  }

  private static List<TaskDraft> chain(int size) {
    return IntStream.range(0, size)
        .mapToObj(i -> i == 0 ? root("0") : draft("" + i, "" + (i - 1), "" + (i - 1)))
        .toList();
  }

  @Test
  void longCycleIsFound() {
    List<TaskDraft> drafts = new ArrayList<>(chain(10_000));
    drafts.set(0, root("0", "9999"));

    assertThat(TreeStructure.faults(new TreeTasks(), drafts, ANY_DEPTH))
        .singleElement()
        .isInstanceOfSatisfying(
            CircularDependency.class, fault -> assertThat(fault.cycle()).hasSize(10_001));
  }

  @Test
  void cycleThatNoEventHoldsIsNamedInPart() {
    String tail = "x".repeat(240);
    List<TaskDraft> drafts = new ArrayList<>(List.of(root("0" + tail, "9999" + tail)));
    for (int number = 1; number < 10_000; number++) {
      drafts.add(draft(number + tail, "0" + tail, (number - 1) + tail));
    }

    assertThat(TreeStructure.faults(new TreeTasks(), drafts, ANY_DEPTH))
        .singleElement()
        .isInstanceOfSatisfying(
            CircularDependency.class,
            fault -> {
              assertThat(fault.cycle()).hasSizeBetween(1_000, 2_000);
              assertThat(fault.cycle().getFirst()).isEqualTo(fault.cycle().getLast());
            });
  }

  private static CircularDependency cycle(String... ids) {
    return new CircularDependency(List.of(ids));
  }

  private static List<TaskFault> faults(TaskDraft... drafts) {
    return faults(List.of(drafts));
  }

  private static List<TaskFault> faults(List<TaskDraft> drafts) {
    return TreeStructure.faults(new TreeTasks(), drafts, GatewayLimits.DEFAULT);
  }

  private static List<TaskFault> added(TreeTasks tasks, TaskDraft draft) {
    return TreeStructure.faults(tasks, List.of(draft), GatewayLimits.DEFAULT);
  }

  private static TreeTasks tasks(TaskDraft... drafts) {
    TreeTasks tasks = new TreeTasks();
    Arrays.stream(drafts).map(GivenTree::created).forEach(tasks::evolve);
    return tasks;
  }
}
