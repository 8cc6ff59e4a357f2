package gatebook.events.journal;

import gatebook.events.journal.AppendQueue.Request;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of the journal, on a thread of its own: takes the queued appends, stores them in one
 * transaction, forces once, and leaves publishing and completing to its {@link Listener}.
 *
 * <p>When the storage fails, no caller waits: appends are refused while the writer reopens and
 * checks the storage until it can write again. Only the callers of a commit whose response was lost
 * wait for a while, because reopening shows whether it took place.
 */
final class JournalWriter implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(JournalWriter.class);

  private static final long PAUSE_MILLIS_MIN = 50;
  private static final long PAUSE_MILLIS_MAX = 1_000;

  /** Listens to what the writer does; its methods return without waiting. */
  interface Listener {
    void stateChanged(JournalState state);

    /** A batch is durable: readers may see it, and its requests may be completed. */
    void batchStored(AppendBatch appendBatch);

    /** After a failure, the storage turned out to hold the events up to this position. */
    void storedUpTo(long position);

    void requestsRefused(List<Request> requests, Append.Refused refusal);
  }

  private final JournalStorage storage;
  private final AppendQueue queue;
  private final CheckpointWriter checkpointWriter;
  private final JournalSettings settings;
  private final JournalFigures figures;
  private final Listener listener;
  private final RecentEvents recentEvents = new RecentEvents();
  private final LeafHasher hasher = new LeafHasher();
  private final CountDownLatch closing = new CountDownLatch(1);
  private StorageWriter storageWriter;
  private Append.@Nullable Refused refusal;

  JournalWriter(
      StorageWriter storageWriter,
      JournalStorage storage,
      AppendQueue queue,
      CheckpointWriter checkpointWriter,
      JournalSettings settings,
      JournalFigures figures,
      Listener listener) {
    this.storageWriter = storageWriter;
    this.storage = storage;
    this.queue = queue;
    this.checkpointWriter = checkpointWriter;
    this.settings = settings;
    this.figures = figures;
    this.listener = listener;
  }

  /** Lets the writer store the queued appends, then end. */
  void close() {
    queue.close();
    closing.countDown();
  }

  /** The next batch has a checkpoint, unless one covers it already. */
  void requestCheckpoint() {
    checkpointWriter.request();
  }

  @Override
  public void run() {
    while (!queue.isDone()) {
      List<Request> requests = take();
      if (requests.isEmpty()) {
        checkpointIfDue();
      } else {
        write(requests);
      }
    }
    checkpointIfUncovered();
    finish();
    storageWriter.close();
    checkpointWriter.close();
  }

  /** Everything acknowledged is durable before. */
  private void finish() {
    try {
      storageWriter.finish();
    } catch (StorageFailure | RuntimeException e) {
      log.atWarn()
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("the journal was not closed cleanly and recovers at its next start");
    }
  }

  private List<Request> take() {
    try {
      return queue.take(checkpointWriter.millisUntilDue());
    } catch (InterruptedException e) {
      // no code interrupts this thread: near the embedded engine that would close its file
      log.atWarn().setCause(e).log("journal writer was interrupted and goes on");
      return List.of();
    }
  }

  private void write(List<Request> requests) {
    if (refusal != null) {
      // these were taken before the journal stopped to take appends
      listener.requestsRefused(requests, refusal);
      return;
    }
    AppendBatch appendBatch = null;
    KeyIntroduction introduction = requests.getFirst().introduction();
    try {
      String obstacle =
          introduction == null ? null : checkpointWriter.obstacle(storageWriter, introduction);
      if (obstacle != null) {
        listener.requestsRefused(requests, new Append.Unstorable(obstacle));
        return;
      }
      appendBatch = AppendBatch.write(requests, storageWriter, recentEvents, hasher);
      if (introduction == null) {
        checkpointWriter.addIfDue(storageWriter, appendBatch.edge());
      } else {
        checkpointWriter.addIntroducing(storageWriter, appendBatch.edge(), introduction.newKey());
      }
      if (!commit(appendBatch)) {
        recentEvents.invalidate();
        checkpointWriter.forgetPending();
        write(requests);
      }
    } catch (StorageFailure | RuntimeException | Error e) {
      // an Error too: the PostgreSQL driver throws one when its connection breaks within a batch,
      // and without this thread no append would ever be completed
      recentEvents.invalidate();
      handleFailure(requests, appendBatch, e);
    }
  }

  /** False when another process appended first: then nothing is stored. */
  private boolean commit(AppendBatch appendBatch) throws StorageFailure {
    long start = System.nanoTime();
    boolean isStored = storageWriter.commitIfUnmoved();
    figures.commitNanos.add(System.nanoTime() - start);
    if (!isStored) {
      return false;
    }
    if (!appendBatch.entries().isEmpty()) {
      countForcedWrite();
    }
    checkpointWriter.committed(appendBatch.edge().size());
    count(appendBatch);
    RecordedRollback.first(appendBatch.entries()).ifPresent(this::stop);
    listener.batchStored(appendBatch);
    return true;
  }

  private void stop(RecordedRollback rollback) {
    checkpointWriter.stop();
    refusal = new Append.ReadOnly(rollback.sentence());
    listener.stateChanged(new JournalState.RolledBack(rollback.sentence()));
  }

  private void countForcedWrite() {
    if (settings.durability() == Durability.POWER) {
      figures.forcedWrites.increment();
    }
  }

  private void count(AppendBatch appendBatch) {
    figures.batches.increment();
    figures.conflicts.add(appendBatch.conflicts());
    figures.eventsStored.add(appendBatch.entries().size());
    long bytes = 0;
    for (Entry entry : appendBatch.entries()) {
      bytes += entry.payload().length + entry.metadata().length;
    }
    figures.bytesStored.add(bytes);
  }

  private void handleFailure(
      List<Request> requests, @Nullable AppendBatch appendBatch, Throwable failure) {
    checkpointWriter.forgetPending();
    if (storageWriter.stage() == StorageWriter.Stage.WRITING
        && StorageFailure.isCausedByData(failure)
        && rollBack()) {
      writeHalves(requests, failure);
      return;
    }
    recover(requests, appendBatch, failure);
  }

  private boolean rollBack() {
    try {
      storageWriter.rollback();
      return true;
    } catch (StorageFailure e) {
      return false;
    }
  }

  /** An event that the storage does not accept fails only its own caller. */
  private void writeHalves(List<Request> requests, Throwable failure) {
    if (requests.size() == 1) {
      figures.unstorable.increment();
      log.atWarn().setCause(failure).log("an event cannot be stored");
      listener.requestsRefused(
          requests, new Append.Unstorable("the journal does not take this event"));
      return;
    }
    int half = requests.size() / 2;
    write(requests.subList(0, half));
    write(requests.subList(half, requests.size()));
  }

  private void recover(
      List<Request> requests, @Nullable AppendBatch appendBatch, Throwable failure) {
    String reason = "the journal cannot write; it keeps trying";
    log.atError()
        .addKeyValue("stage", storageWriter.stage())
        .addKeyValue("failure", StorageFailure.describe(failure))
        .log(reason);
    listener.stateChanged(new JournalState.Unavailable(reason));
    InDoubtBatch inDoubt = inDoubt(requests, appendBatch, reason);
    storageWriter.abandon();
    reopen(inDoubt, reason);
  }

  private InDoubtBatch inDoubt(
      List<Request> requests, @Nullable AppendBatch appendBatch, String reason) {
    InDoubtBatch inDoubt =
        new InDoubtBatch(appendBatch, requests, settings.limits().inDoubtMillisMax());
    switch (storageWriter.stage()) {
      case WRITING -> inDoubt.refuse(new Append.Unavailable(reason));
      // committed, but a later force that succeeds does not prove that these bytes were written
      case FORCING -> inDoubt.giveUp(reason);
      case COMMITTING -> {}
    }
    return inDoubt;
  }

  private void reopen(InDoubtBatch inDoubt, String reason) {
    long pauseMillis = PAUSE_MILLIS_MIN;
    do {
      refuseQueued(reason);
      try {
        storageWriter = storage.writer();
        resume(inDoubt);
        return;
      } catch (StorageFailure | RuntimeException | Error e) {
        log.atDebug().setCause(e).log("the journal cannot write yet");
        storageWriter.abandon();
      }
      inDoubt.giveUpWhenLate(reason);
      pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
    } while (!closedWithin(pauseMillis));
    inDoubt.giveUp(reason);
    refuseQueued(reason);
  }

  private void resume(InDoubtBatch inDoubt) throws StorageFailure {
    storageWriter.settle();
    RightEdge edge = storageWriter.lockEdge();
    JournalState state = checkpointWriter.check(storageWriter, edge);
    storageWriter.rollback();
    boolean committed = inDoubt.isCommitted(storageWriter, edge);
    storageWriter.rollback();
    figures.recoveries.increment();
    refusal =
        switch (state) {
          case JournalState.Distrusted(String reason) -> new Append.Distrusted(reason);
          case JournalState.RolledBack(String reason) -> new Append.ReadOnly(reason);
          case JournalState.ReadOnly _,
              JournalState.Writable _,
              JournalState.Unavailable _,
              JournalState.Closed _ ->
              null;
        };
    listener.storedUpTo(edge.size());
    listener.stateChanged(state);
    inDoubt.resolve(committed);
    if (refusal == null) {
      log.atInfo().addKeyValue("position", edge.size()).log("the journal writes again");
    }
  }

  /** A batch whose commit may have taken place, and the callers that wait for its outcome. */
  private final class InDoubtBatch {
    private @Nullable AppendBatch appendBatch;
    private List<Request> requests;
    private final long deadlineNanos;

    InDoubtBatch(@Nullable AppendBatch appendBatch, List<Request> requests, long waitMillis) {
      this.appendBatch = appendBatch;
      this.requests = requests;
      this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    }

    /** Whether the rows, which must have been settled before, show the commit. */
    boolean isCommitted(StorageWriter storageWriter, RightEdge edge) throws StorageFailure {
      return appendBatch != null && isStored(appendBatch, storageWriter, edge);
    }

    void resolve(boolean committed) {
      if (appendBatch != null && committed) {
        count(appendBatch);
        listener.batchStored(appendBatch);
        clear();
      } else {
        refuse(new Append.Unavailable("the journal failed before it stored this"));
      }
    }

    void refuse(Append.Refused refusal) {
      if (!requests.isEmpty()) {
        listener.requestsRefused(requests, refusal);
      }
      clear();
    }

    private void clear() {
      appendBatch = null;
      requests = List.of();
    }

    private boolean isStored(AppendBatch appendBatch, StorageWriter storageWriter, RightEdge edge)
        throws StorageFailure {
      if (appendBatch.entries().isEmpty()) {
        return true;
      }
      Entry last = appendBatch.entries().getLast();
      if (edge.size() < last.position()) {
        return false;
      }
      List<Entry> found =
          storageWriter.read(
              new EntrySelection.Everything(), last.position() - 1, last.position(), 1);
      return !found.isEmpty()
          && found.getFirst().id().equals(last.id())
          && found.getFirst().node().equals(last.node());
    }

    void giveUpWhenLate(String reason) {
      if (System.nanoTime() - deadlineNanos > 0) {
        giveUp(reason);
      }
    }

    void giveUp(String reason) {
      refuse(new Append.InDoubt(reason + "; what was being stored may be there"));
    }
  }

  private void refuseQueued(String reason) {
    List<Request> waiting = queue.takeAll();
    if (!waiting.isEmpty()) {
      listener.requestsRefused(waiting, new Append.Unavailable(reason));
    }
  }

  private boolean closedWithin(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private void checkpointIfDue() {
    if (checkpointWriter.isDue()) {
      checkpointIfUncovered();
    }
  }

  private void checkpointIfUncovered() {
    if (!checkpointWriter.isUncovered()) {
      return;
    }
    try {
      RightEdge edge = storageWriter.lockEdge();
      checkpointWriter.add(storageWriter, edge);
      storageWriter.commit();
      countForcedWrite();
      checkpointWriter.committed(edge.size());
    } catch (StorageFailure | RuntimeException | Error e) {
      checkpointWriter.forgetPending();
      recover(List.of(), null, e);
    }
  }
}
