package gatebook.command.tree;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeWebhookEvent;
import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one tree, in the order of their creation, and the execution that runs, as the tree's
 * events tell them. It is changed by events only.
 */
public final class TreeTasks {
  private final Map<String, TreeTask> byId = new LinkedHashMap<>();
  private final Set<String> reopened = new LinkedHashSet<>();

  /** The tasks that were created since the execution that runs began, and are no part of it. */
  private final Set<String> createdSince = new HashSet<>();

  private @Nullable TreeExecutionStarted execution;

  void evolve(TreeEvent event) {
    switch (event) {
      case TreeTaskEvent task -> evolve(task);
      case TreeExecutionStarted started -> execution = started;
      case TreeWebhookEvent _ -> {
        // tasks do not wait for webhooks
      }
      case TreeExecutionEnded _ -> {
        execution = null;
        reopened.clear();
        createdSince.clear();
      }
    }
  }

  private void evolve(TreeTaskEvent event) {
    if (event instanceof TreeTaskReopened) {
      reopened.add(event.taskId());
    } else if (event instanceof TreeTaskCreated && execution != null) {
      createdSince.add(event.taskId());
    }
    TreeTask task = TreeTask.evolve(byId.get(event.taskId()), event);
    if (task == null) {
      byId.remove(event.taskId());
    } else {
      byId.put(event.taskId(), task);
    }
  }

  /** The execution that runs; absent when none does. */
  public @Nullable TreeExecutionStarted execution() {
    return execution;
  }

  /** These tasks for their owner; none for any other principal, for whom they do not exist. */
  public TreeTasks of(String owner) {
    return byId.values().stream().allMatch(task -> task.key().owner().equals(owner))
        ? this
        : new TreeTasks();
  }

  public Optional<TreeTask> task(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  public Collection<TreeTask> all() {
    return Collections.unmodifiableCollection(byId.values());
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  List<TreeTask> children(String id) {
    return byId.values().stream().filter(task -> id.equals(task.parentId())).toList();
  }

  /** The tasks that depend on a task directly. */
  List<TreeTask> dependents(String id) {
    return byId.values().stream()
        .filter(task ->
            task.content().dependencies().stream().map(TaskDependency::id).anyMatch(id::equals))
        .toList();
  }

  /**
   * What the execution that runs is about: the task that was named with its scope as it was when
   * the execution began, and the tasks that are executed again because they depend on a failed one.
   * None when no execution runs.
   */
  public List<TreeTask> executionScope() {
    if (execution == null) {
      return List.of();
    }
    Set<String> ids = new LinkedHashSet<>();
    task(execution.taskId()).stream()
        .flatMap(named -> scope(named).stream())
        .forEach(task -> ids.add(task.id()));
    ids.addAll(reopened);
    ids.removeAll(createdSince);
    return ids.stream().flatMap(id -> task(id).stream()).toList();
  }

  /**
   * What executing a task runs: the whole tree when it is the root, else the task with everything
   * it depends on.
   */
  public List<TreeTask> scope(TreeTask named) {
    if (named.parentId() == null) {
      return List.copyOf(byId.values());
    }
    Set<String> seen = new HashSet<>(Set.of(named.id()));
    List<TreeTask> scope = new ArrayList<>(List.of(named));
    for (int next = 0; next < scope.size(); next++) {
      for (TaskDependency dependency : scope.get(next).content().dependencies()) {
        TreeTask task = byId.get(dependency.id());
        if (task != null && seen.add(dependency.id())) {
          scope.add(task);
        }
      }
    }
    return scope;
  }
}
