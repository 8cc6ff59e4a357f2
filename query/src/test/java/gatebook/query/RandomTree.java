package gatebook.query;

import gatebook.events.Event;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import gatebook.events.tree.TreeWebhook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Generates the events of one tree of tasks, from its creation to a random end. */
final class RandomTree {
  private static final String ORIGINAL = "{}";
  private static final KeptContent KEPT =
      new KeptContent(2, new Digest("k1", Bytes.of(new byte[32])), null, null);

  private final SplittableRandom random;
  private final UUID tree;
  private final String owner;
  private final List<List<Event>> appends = new ArrayList<>();
  private Instant at;

  RandomTree(SplittableRandom random, UUID tree, Instant at) {
    this.random = random;
    this.tree = tree;
    this.owner = random.nextBoolean() ? "ada" : "grace";
    this.at = at;
  }

  List<List<Event>> appends() {
    int tasks = 1 + random.nextInt(6);
    List<Event> created = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      created.add(created(i));
    }
    appends.add(created);
    if (random.nextInt(4) == 0) {
      append(new TreeTaskUpdated(tree, "task-0", owner, content("renamed"), tree, next()));
    }
    if (tasks > 1 && random.nextInt(3) == 0) {
      recreateLast(tasks - 1);
    }
    if (random.nextInt(4) == 0) {
      link(tasks);
      return appends;
    }
    for (int execution = random.nextInt(3); execution > 0; execution--) {
      execute(tasks, execution);
    }
    if (random.nextInt(8) == 0) {
      append(new TreeTaskDeleted(tree, "task-0", owner, tree, next()));
    }
    return appends;
  }

  /** The same id may be given again once its task was deleted. */
  private void recreateLast(int last) {
    TreeTaskDeleted deleted = new TreeTaskDeleted(tree, "task-" + last, owner, tree, next());
    if (random.nextBoolean()) {
      appends.add(List.of(deleted, created(last)));
    } else {
      append(deleted);
      append(created(last));
    }
  }

  /** All tasks are links; some of them are linked and archived in turn. */
  private void link(int tasks) {
    for (int i = 0; i < tasks; i++) {
      String task = "task-" + i;
      append(new TreeTaskLinked(tree, task, owner, tree, "other", tree, next()));
      if (random.nextBoolean()) {
        append(new TreeTaskReferenced(tree, task, owner, random.nextBoolean(), tree, next()));
      }
      if (random.nextBoolean()) {
        append(new TreeTaskArchived(tree, task, owner, tree, next()));
      }
    }
  }

  private void execute(int tasks, int number) {
    UUID execution = new UUID(tree.getMostSignificantBits(), number);
    TreeWebhook webhook =
        random.nextBoolean() ? new TreeWebhook("https://hooks.example.com", ORIGINAL) : null;
    append(started(execution, false, webhook));
    if (random.nextInt(5) == 0) {
      append(started(execution, true, webhook));
    }
    for (int i = tasks - 1; i >= 0; i--) {
      append(
          new TreeTaskStarted(
              tree, "task-" + i, owner, execution, 1 + random.nextInt(3), null, next()));
      if (random.nextInt(4) == 0) {
        append(
            new TreeTaskRetried(
                tree, "task-" + i, owner, 4, "no connection", null, null, null, next(), next()));
      }
      append(ended("task-" + i));
      if (random.nextInt(4) == 0) {
        append(new TreeTaskReopened(tree, "task-" + i, owner, null, tree, next()));
      }
    }
    if (random.nextInt(4) > 0) {
      append(new TreeExecutionEnded(tree, owner, execution, TreeStatus.FAILED, List.of(), next()));
    }
    if (webhook != null) {
      tellWebhook(execution);
    }
  }

  private Event started(UUID execution, boolean takenOver, @Nullable TreeWebhook webhook) {
    return new TreeExecutionStarted(
        tree, owner, execution, "task-0", tree, takenOver, next(), webhook, null);
  }

  private void tellWebhook(UUID execution) {
    boolean last = random.nextBoolean();
    if (random.nextInt(4) == 0) {
      append(new TreeWebhookTakenOver(tree, owner, execution, next()));
    }
    append(
        random.nextBoolean()
            ? new TreeWebhookDelivered(tree, owner, execution, "x", "task-0", last, 1, 204, next())
            : new TreeWebhookFailed(
                tree,
                owner,
                execution,
                "x",
                "task-0",
                last,
                2,
                random.nextBoolean() ? 503 : null,
                "no",
                random.nextBoolean(),
                next()));
  }

  private Event ended(String task) {
    return switch (random.nextInt(3)) {
      case 0 -> new TreeTaskCompleted(tree, task, owner, 1, tree, KEPT, ORIGINAL, next());
      case 1 -> new TreeTaskFailed(tree, task, owner, 1, "no", -32_001, null, next());
      default -> new TreeTaskCancelled(tree, task, owner, "stop", tree, next());
    };
  }

  private TreeTaskCreated created(int number) {
    return new TreeTaskCreated(
        tree,
        "task-" + number,
        owner,
        number == 0 ? null : "task-0",
        content("step " + number),
        tree,
        next());
  }

  private static TaskContent content(String name) {
    return new TaskContent(name, "echo", 2, List.of(), KEPT, ORIGINAL);
  }

  private void append(Event event) {
    appends.add(List.of(event));
  }

  private Instant next() {
    at = at.plusMillis(random.nextInt(1_000));
    return at;
  }
}
