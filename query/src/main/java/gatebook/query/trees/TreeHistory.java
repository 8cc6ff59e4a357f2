package gatebook.query.trees;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEvent;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallView;
import gatebook.query.projection.GroupTag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The history of a tree, read from the journal: its tasks, and its state after its last event. */
final class TreeHistory {
  /** The most tasks that are shown of one tree. */
  static final int TASKS_MAX = 10_000;

  private static final int PAGE = 1_000;

  private final Map<String, TreeTaskSummary> current = new HashMap<>();
  private final List<TreeTaskSummary> all = new ArrayList<>();
  private @Nullable TreeSummary treeSummary;

  /**
   * Reads the events of a tree. Leaves out events that this version cannot read.
   *
   * @param asOf reads only what was recorded up to this time; everything when empty
   */
  static TreeHistory read(
      Journal journal, EventVocabulary eventVocabulary, UUID tree, Optional<Instant> asOf) {
    TreeHistory treeHistory = new TreeHistory();
    long head = journal.head();
    long after = 0;
    List<Entry> page;
    do {
      page = journal.find(GroupTag.TREE.criteria(tree), after, head, PAGE);
      page.stream()
          .filter(entry -> asOf.filter(then -> Instant.parse(entry.at()).isAfter(then)).isEmpty())
          .forEach(entry ->
              eventVocabulary
                  .readIfPossible(entry, TreeEvent.class)
                  .ifPresent(event -> treeHistory.apply(event, entry)));
      after = page.isEmpty() ? head : page.getLast().position();
    } while (page.size() == PAGE);
    return treeHistory;
  }

  private void apply(TreeEvent event, Entry entry) {
    TreeSummary tree = treeSummary == null ? new TreeSummary(event, entry) : treeSummary;
    treeSummary = tree;
    switch (event) {
      case TreeTaskEvent task -> apply(task, tree, entry);
      case TreeExecutionEvent execution -> tree.apply(execution, entry);
    }
  }

  private void apply(TreeTaskEvent event, TreeSummary tree, Entry entry) {
    if (event instanceof TreeTaskCreated created) {
      TreeTaskSummary task = new TreeTaskSummary(created);
      current.put(created.taskId(), task);
      all.add(task);
    }
    TreeTaskSummary task = current.get(event.taskId());
    if (task != null) {
      tree.apply(event, task.status(), entry);
      task.apply(event);
    }
    if (event instanceof TreeTaskDeleted) {
      current.remove(event.taskId());
    }
  }

  /** The ids of the tasks that are shown. */
  List<String> taskIds() {
    return shown().map(TreeTaskSummary::taskId).toList();
  }

  private Stream<TreeTaskSummary> shown() {
    return all.stream().limit(TASKS_MAX);
  }

  /**
   * The tree; empty when nothing of it was read.
   *
   * @param calls the calls of each task
   */
  Optional<TreeView> toView(Map<String, List<CallView>> calls) {
    return Optional.ofNullable(treeSummary)
        .map(tree ->
            tree.toView(
                shown()
                    .map(task -> task.toView(calls.getOrDefault(task.taskId(), List.of())))
                    .toList()));
  }

  /** The owner of the tree; empty text when nothing of it was read. */
  String owner() {
    return treeSummary == null ? "" : treeSummary.owner();
  }
}
