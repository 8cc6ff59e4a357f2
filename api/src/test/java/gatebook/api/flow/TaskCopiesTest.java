package gatebook.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.task.Descendants;
import gatebook.api.flow.task.FlowTaskJson;
import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.command.tree.TreeStructure;
import gatebook.command.tree.TreeTasks;
import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Copies of random trees, the same in each run. */
final class TaskCopiesTest {
  private static final int TREES = 1_000;
  private static final Map<String, String> RESET = Map.of("note", "\"again\"");

  private final SplittableRandom random = new SplittableRandom(31);

  @Test
  void copiesHaveTheShapeOfTheirSources() {
    for (int i = 0; i < TREES; i++) {
      List<ReadTask> tree = tree(1 + random.nextInt(15));
      List<String> sources = Descendants.all("0", tree);
      Set<String> linked = someOf(sources);

      List<TaskCopy> copies = TaskCopies.of(sources, linked, RESET, tree);

      assertThat(copies).extracting(TaskCopy::sourceId).isEqualTo(sources);
      Map<String, String> sourceIds = new LinkedHashMap<>();
      copies.forEach(copy -> sourceIds.put(copy.draft().id(), copy.sourceId()));
      assertThat(sourceIds).hasSize(tree.size()).doesNotContainKeys(sources.toArray(String[]::new));
      copies.forEach(copy -> assertSameShape(copy.draft(), source(copy, tree), sourceIds));
      assertThat(
              TreeStructure.faults(
                  new TreeTasks(),
                  copies.stream().map(TaskCopy::draft).toList(),
                  GatewayLimits.DEFAULT))
          .isEmpty();
    }
  }

  private static void assertSameShape(
      TaskDraft draft, ReadTask source, Map<String, String> sourceIds) {
    String parentId = draft.parentId();
    assertThat(parentId == null ? null : sourceIds.get(parentId))
        .isEqualTo(source.task().parentId());
    assertThat(
            draft.dependencies().stream()
                .map(it -> new TaskDependency(sourceIds.getOrDefault(it.id(), ""), it.required()))
                .toList())
        .isEqualTo(source.task().content().dependencies());
    ObjectMembers written = ObjectMembers.of(draft.definition());
    assertThat(written.text("id")).contains(draft.id());
    assertThat(written.text("parent_id").orElse(null)).isEqualTo(parentId);
    assertThat(written.json("dependencies"))
        .contains(FlowTaskJson.dependencies(draft.dependencies()));
  }

  @Test
  void onlyCopiesKeepWhatTheyRunWith() {
    for (int i = 0; i < TREES; i++) {
      List<ReadTask> tree = tree(1 + random.nextInt(15));
      List<String> sources = Descendants.all("0", tree);
      Set<String> linked = someOf(sources);

      for (TaskCopy copy : TaskCopies.of(sources, linked, RESET, tree)) {
        ReadTask source = source(copy, tree);
        boolean wasLink = source.task().origin().isLink();
        assertThat(copy.isLink()).isEqualTo(wasLink || linked.contains(copy.sourceId()));
        ObjectMembers written = ObjectMembers.of(copy.draft().definition());
        ObjectMembers before = ObjectMembers.of(source.definition());
        assertThat(written.text("origin_type")).contains(copy.isLink() ? "link" : "copy");
        assertThat(written.text("original_task_id")).contains(wasLink ? "first" : copy.sourceId());
        assertThat(written.text("note")).contains("again");
        assertThat(written.text("name")).isEqualTo(before.text("name"));
        for (String name : List.of("inputs", "params", "schemas")) {
          assertThat(written.json(name))
              .isEqualTo(copy.isLink() ? Optional.of("null") : before.json(name));
        }
        assertThat(copy.draft().executor()).isEqualTo(copy.isLink() ? null : "echo");
        assertThat(copy.draft().inputs() == null).isEqualTo(copy.isLink());
      }
    }
  }

  @Test
  void copiesDependOnNothingOutside() {
    int refused = 0;
    for (int i = 0; i < TREES; i++) {
      List<ReadTask> tree = tree(2 + random.nextInt(15));
      List<String> sources = Descendants.all(Integer.toString(random.nextInt(tree.size())), tree);

      boolean isRefused = isRefused(sources, tree);

      assertThat(isRefused).isEqualTo(dependsOnOthers(new HashSet<>(sources), tree));
      refused += isRefused ? 1 : 0;
    }
    assertThat(refused).isBetween(TREES / 10, TREES * 9 / 10);
  }

  private static boolean isRefused(List<String> sources, List<ReadTask> tree) {
    try {
      return TaskCopies.of(sources, Set.of(), RESET, tree).isEmpty();
    } catch (RefusedRequest _) {
      return true;
    }
  }

  private static boolean dependsOnOthers(Set<String> sources, List<ReadTask> tree) {
    return tree.stream()
        .filter(task -> sources.contains(task.id()))
        .flatMap(task -> task.task().content().dependencies().stream())
        .anyMatch(dependency -> !sources.contains(dependency.id()));
  }

  private static ReadTask source(TaskCopy copy, List<ReadTask> tree) {
    return tree.stream()
        .filter(task -> task.id().equals(copy.sourceId()))
        .findFirst()
        .orElseThrow();
  }

  /** Parents have a smaller number, and dependencies a greater one; some tasks are links. */
  private List<ReadTask> tree(int size) {
    List<ReadTask> tree = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      @Nullable String parentId = i == 0 ? null : Integer.toString(random.nextInt(i));
      List<TaskDependency> dependencies = new ArrayList<>();
      for (int later = i + 1; later < size; later++) {
        if (random.nextInt(6) == 0) {
          dependencies.add(new TaskDependency(Integer.toString(later), random.nextBoolean()));
        }
      }
      TaskDraft draft = draft(Integer.toString(i), parentId, dependencies);
      tree.add(
          random.nextInt(5) == 0
              ? FlowTasks.link(draft, "first", "{}")
              : FlowTasks.completed(draft, "{}"));
    }
    return tree;
  }

  private static TaskDraft draft(
      String id, @Nullable String parentId, List<TaskDependency> dependencies) {
    String definition =
        """
        {"name":"n%s","inputs":{"n":1.50},"schemas":{"method":"echo"},"params":{"p":[]},\
        "origin_type":"create"}\
        """
            .formatted(id);
    return new TaskDraft(
        id, parentId, "n" + id, "echo", 2, dependencies, definition, "{\"n\":1.50}");
  }

  private Set<String> someOf(List<String> ids) {
    Set<String> some = new HashSet<>(ids);
    some.removeIf(_ -> random.nextBoolean());
    return some;
  }
}
