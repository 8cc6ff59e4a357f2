package gatebook.query.trees;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.journal.Journal;
import gatebook.events.tree.TreeStatus;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.CallView;
import gatebook.query.calls.TaskCalls;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about trees of tasks.
 *
 * <p>The view knows the state of each tree, and which trees an id belongs to. The tasks of a tree
 * are read from the journal at the time of the query, so that the result shows what is recorded.
 */
public final class TreeQueries {
  /** The most trees that one lookup shows: many owners may use the same id for a task. */
  static final int TREES_MAX = 10;

  private final Journal journal;
  private final View view;
  private final TaskCalls taskCalls;
  private final EventVocabulary eventVocabulary;

  private TreeQueries(
      Journal journal, View view, TaskCalls taskCalls, EventVocabulary eventVocabulary) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.view = view;
    this.taskCalls = taskCalls;
  }

  /**
   * Starts following the journal with the view in this file.
   *
   * @param taskCalls finds the calls of tasks in the view of calls
   */
  public static TreeQueries follow(
      ViewFile views,
      Journal journal,
      EventReader reader,
      TaskCalls taskCalls,
      EventVocabulary eventVocabulary) {
    return new TreeQueries(
        journal,
        View.follow(views, journal, new TreesProjection(), reader),
        taskCalls,
        eventVocabulary);
  }

  public View view() {
    return view;
  }

  /**
   * A page of trees, newest first.
   *
   * @param next the cursor of the next page; empty on the last page
   */
  public record Page(Reached reached, List<TreeView> trees, OptionalLong next) {
    public Page {
      trees = List.copyOf(trees);
    }
  }

  @QueryHandler
  Page handle(ListTrees query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    Page page = view.read(it -> TreeSelection.page(it, reached, query));
    return new Page(reached, page.trees().stream().map(this::withContent).toList(), page.next());
  }

  /**
   * The trees that have an id, newest first.
   *
   * @param more whether older trees have the id, too
   * @param cameLater whether trees have the id, and nothing of them was recorded at the requested
   *     time
   */
  public record FoundTrees(Reached reached, List<TreeView> trees, boolean more, boolean cameLater) {
    public FoundTrees {
      trees = List.copyOf(trees);
    }
  }

  @QueryHandler
  FoundTrees handle(FindTrees query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    TreeSelection treeSelection = TreeSelection.of(query.id(), query.calls(), taskCalls);
    List<UUID> found = view.read(it -> treeSelection.find(it, TREES_MAX + 1));
    taskCalls.awaitHead(query.atLeast());
    List<TreeView> trees =
        found.stream().limit(TREES_MAX).flatMap(tree -> tree(tree, query.asOf()).stream()).toList();
    return new FoundTrees(
        reached, trees, found.size() > TREES_MAX, trees.isEmpty() && !found.isEmpty());
  }

  private Optional<TreeView> tree(UUID tree, Optional<Instant> asOf) {
    TreeHistory treeHistory = TreeHistory.read(journal, eventVocabulary, tree, asOf);
    Map<String, List<CallView>> calls =
        taskCalls.find(treeHistory.owner(), treeHistory.taskIds(), asOf);
    return treeHistory.toView(calls);
  }

  /** The tree with its content, which the view does not hold. */
  private TreeView withContent(TreeView tree) {
    TreeContentPlaces places = tree.contentPlaces();
    String name =
        switch (event(places.name())) {
          case TreeTaskCreated created -> created.content().name();
          case TreeTaskUpdated updated -> updated.content().name();
          case null, default -> null;
        };
    WebhookView webhook = tree.webhook();
    if (webhook != null
        && event(places.webhook()) instanceof TreeExecutionStarted started
        && started.webhook() != null) {
      String reason =
          event(places.failure()) instanceof TreeWebhookFailed failed ? failed.reason() : null;
      webhook = webhook.withContent(started.webhook().url(), reason);
    }
    return tree.withContent(name, webhook);
  }

  private @Nullable TreeEvent event(long position) {
    return position == 0
        ? null
        : journal.read(position - 1, 1).stream()
            .filter(entry -> entry.position() == position)
            .findFirst()
            .flatMap(entry -> eventVocabulary.readIfPossible(entry, TreeEvent.class))
            .orElse(null);
  }

  /** The id of a task, the tree it belongs to, and whether it has children. */
  public record ListedTask(UUID treeId, String taskId, boolean hasChildren) {}

  /**
   * A page of an owner's tasks, newest first.
   *
   * @param total the number of tasks on all pages
   */
  public record TaskPage(Reached reached, List<ListedTask> tasks, long total) {
    public TaskPage {
      tasks = List.copyOf(tasks);
    }
  }

  @QueryHandler
  TaskPage handle(ListTreeTasks query) throws InterruptedException {
    Reached reached = view.awaitHead(0);
    return view.read(it -> TreeSelection.tasks(it, reached, query));
  }

  /** The number of an owner's tasks of each status; none of a status without tasks. */
  public record TaskCounts(Reached reached, Map<TreeStatus, Long> byStatus) {
    public TaskCounts {
      byStatus = Map.copyOf(byStatus);
    }
  }

  @QueryHandler
  TaskCounts handle(CountTreeTasks query) throws InterruptedException {
    Reached reached = view.awaitHead(0);
    return new TaskCounts(reached, view.read(it -> TreeSelection.counts(it, query)));
  }

  /** Whether a task has children, as far as the view has come. */
  public record TaskChildren(Reached reached, boolean areThere) {}

  @QueryHandler
  TaskChildren handle(FindTaskChildren query) throws InterruptedException {
    Reached reached = view.awaitHead(0);
    return new TaskChildren(
        reached, view.read(it -> TreeSelection.hasChildren(it, query.treeId(), query.taskId())));
  }

  /** Open executions, oldest first; none once the view is closed. */
  public record OpenExecutions(List<OpenExecution> executions) {
    public OpenExecutions {
      executions = List.copyOf(executions);
    }
  }

  @QueryHandler
  OpenExecutions handle(ListOpenExecutions query) throws InterruptedException {
    return new OpenExecutions(
        view.awaitWithoutLimit(query.upToPosition())
            ? view.read(TreeSelection::openExecutions)
            : List.of());
  }

  /** Open webhooks of executions that ended, oldest first; none once the view is closed. */
  public record OpenWebhooks(List<OpenWebhook> webhooks) {
    public OpenWebhooks {
      webhooks = List.copyOf(webhooks);
    }
  }

  @QueryHandler
  OpenWebhooks handle(ListOpenWebhooks query) throws InterruptedException {
    return new OpenWebhooks(
        view.awaitWithoutLimit(query.upToPosition())
            ? view.read(TreeWebhookTable::open)
            : List.of());
  }

  /** The number of an owner's trees. */
  public record TreeCount(Reached reached, long trees) {}

  @QueryHandler
  TreeCount handle(CountTrees query) throws InterruptedException {
    Reached reached = view.awaitHead(0);
    return new TreeCount(reached, view.read(it -> TreeSelection.count(it, query.owner())));
  }

  /** The number of an owner's open trees, as far as the view has come. */
  public record OpenTreeCount(long trees) {}

  @QueryHandler
  OpenTreeCount handle(CountOpenTrees query) throws InterruptedException {
    var _ = view.awaitHead(0);
    return new OpenTreeCount(view.read(it -> TreeSelection.countOpen(it, query.owner())));
  }
}
