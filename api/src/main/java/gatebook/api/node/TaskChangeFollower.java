package gatebook.api.node;

import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.tree.OwnersChanges;
import gatebook.events.CallAbandoned;
import gatebook.events.TreeTaskEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.projection.GroupTag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follower of the journal that reports changes of tasks to the trees, and cancellations to the
 * calls that run in this process without their callers, whether this node recorded them or another.
 * It reads nothing while none of them runs, and of other events only the name.
 */
final class TaskChangeFollower implements RecordedTaskChanges, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskChangeFollower.class);
  private static final int PAGE = 1_000;
  private static final long PAUSE_MILLIS = 1_000;

  /** Reading waits for the database when this follower is far behind. */
  private static final Executor MAY_BLOCK = CommandConfiguration.OFF_THE_SENDERS_THREAD;

  private static final Executor AFTER_PAUSE =
      CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, MAY_BLOCK);

  private final Journal journal;
  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final Set<String> treeChanges =
      OwnersChanges.TYPES.stream()
          .map(type -> eventVocabulary.typeOf(type).orElseThrow().name())
          .collect(Collectors.toUnmodifiableSet());
  private final String abandoned = eventVocabulary.typeOf(CallAbandoned.class).orElseThrow().name();
  private final Set<FollowedTree> trees = ConcurrentHashMap.newKeySet();
  private final Map<UUID, Runnable> calls = new ConcurrentHashMap<>();
  private final OngoingFailure failure = new OngoingFailure();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final ReentrantLock reading = new ReentrantLock();

  /** Guards what follows, and is never held while the journal is read. */
  private final ReentrantLock lock = new ReentrantLock();

  private Runnable stopFollowing = () -> {};

  /** Up to here everything was reported; at worst what was reported is read again. */
  private volatile long position;

  TaskChangeFollower(Journal journal) {
    this.journal = journal;
  }

  /**
   * A tree that runs here.
   *
   * @param after the position up to which no changes are reported: a task that was cancelled before
   *     it may be open again
   */
  private record FollowedTree(UUID treeId, long after, Consumer<TreeTaskEvent> onChange) {}

  @Override
  public Runnable follow(UUID treeId, Consumer<TreeTaskEvent> onChange) {
    lock.lock();
    try {
      startFollowing();
      FollowedTree tree = new FollowedTree(treeId, journal.head(), onChange);
      trees.add(tree);
      return () -> remove(tree);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Runnable followCall(UUID callId, Runnable onCancelled) {
    lock.lock();
    try {
      startFollowing();
      calls.put(callId, onCancelled);
      return () -> remove(callId);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long position() {
    return position;
  }

  private void startFollowing() {
    if (isIdle()) {
      stopFollowing = journal.follow(this::schedule);
      position = journal.head(); // what comes later is notified
    }
  }

  private boolean isIdle() {
    return trees.isEmpty() && calls.isEmpty();
  }

  private void remove(FollowedTree tree) {
    lock.lock();
    try {
      if (trees.remove(tree) && isIdle()) {
        stopFollowing.run();
      }
    } finally {
      lock.unlock();
    }
  }

  private void remove(UUID callId) {
    lock.lock();
    try {
      if (calls.remove(callId) != null && isIdle()) {
        stopFollowing.run();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    List.copyOf(trees).forEach(this::remove);
    List.copyOf(calls.keySet()).forEach(this::remove);
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      MAY_BLOCK.execute(this::readNew);
    }
  }

  private void readNew() {
    scheduled.set(false);
    reading.lock();
    try {
      for (List<Entry> page = nextPage(); !page.isEmpty(); page = nextPage()) {
        page.forEach(this::report);
        position = page.getLast().position();
      }
      failure.end();
    } catch (JournalUnreadable e) {
      if (failure.isNew(String.valueOf(e.getMessage()))) {
        LOG.atWarn()
            .setCause(e)
            .log("changes of tasks cannot be read from the journal now; trying again");
      }
      AFTER_PAUSE.execute(this::readNew);
    } finally {
      reading.unlock();
    }
  }

  private List<Entry> nextPage() {
    return isIdle() ? List.of() : journal.read(position, PAGE);
  }

  private void report(Entry entry) {
    if (treeChanges.contains(entry.name())) {
      GroupTag.TREE
          .of(entry)
          .ifPresent(treeId ->
              trees.stream()
                  .filter(tree -> tree.treeId.equals(treeId) && tree.after < entry.position())
                  .forEach(tree -> report(entry, tree)));
    } else if (entry.name().equals(abandoned)) {
      GroupTag.CALL
          .of(entry)
          .flatMap(callId -> Optional.ofNullable(calls.get(callId)))
          .ifPresent(onCancelled -> reportCall(entry, onCancelled));
    }
  }

  private void reportCall(Entry entry, Runnable onCancelled) {
    eventVocabulary
        .readIfPossible(entry, CallAbandoned.class)
        .filter(event -> event.cause() == CallAbandoned.Cause.CANCELLED)
        .ifPresent(_ -> onCancelled.run());
  }

  private void report(Entry entry, FollowedTree tree) {
    eventVocabulary.readIfPossible(entry, TreeTaskEvent.class).ifPresent(tree.onChange);
  }
}
