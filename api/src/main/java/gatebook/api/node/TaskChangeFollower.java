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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follower of the journal that reports changes of tasks to the trees, and cancellations to the
 * calls that run in this process without their callers, whether this node recorded them or another.
 * It reads nothing while none of them runs, and of other events only the name. What it reports has
 * no content.
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
  private final Set<Followed> followed = ConcurrentHashMap.newKeySet();
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
   * A tree or a call that runs here.
   *
   * @param after the position up to which no changes are reported: a task of a tree that was
   *     cancelled before it may be open again
   */
  private record Followed(GroupTag tag, UUID id, long after, Consumer<Entry> onChange) {}

  @Override
  public Runnable follow(UUID treeId, Consumer<TreeTaskEvent> onChange) {
    return follow(
        GroupTag.TREE,
        treeId,
        journal::head,
        entry -> eventVocabulary.readIfPossible(entry, TreeTaskEvent.class).ifPresent(onChange));
  }

  @Override
  public Runnable followCall(UUID callId, Runnable onCancelled) {
    return follow(
        GroupTag.CALL,
        callId,
        () -> 0,
        entry ->
            eventVocabulary
                .readIfPossible(entry, CallAbandoned.class)
                .filter(event -> event.cause() == CallAbandoned.Cause.CANCELLED)
                .ifPresent(_ -> onCancelled.run()));
  }

  private Runnable follow(GroupTag tag, UUID id, LongSupplier after, Consumer<Entry> onChange) {
    lock.lock();
    try {
      startFollowing();
      Followed added = new Followed(tag, id, after.getAsLong(), onChange);
      followed.add(added);
      return () -> remove(added);
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
    return followed.isEmpty();
  }

  private void remove(Followed ended) {
    lock.lock();
    try {
      if (followed.remove(ended) && isIdle()) {
        stopFollowing.run();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    List.copyOf(followed).forEach(this::remove);
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
      report(GroupTag.TREE, entry);
    } else if (entry.name().equals(abandoned)) {
      report(GroupTag.CALL, entry);
    }
  }

  private void report(GroupTag tag, Entry entry) {
    tag.of(entry)
        .ifPresent(id ->
            followed.stream()
                .filter(it -> it.tag == tag && it.id.equals(id) && it.after < entry.position())
                .forEach(it -> it.onChange.accept(entry)));
  }
}
