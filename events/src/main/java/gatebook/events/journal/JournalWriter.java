package gatebook.events.journal;

import gatebook.events.journal.AppendQueue.Request;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes: takes what waits, stores it in one transaction, forces once, then has
 * it shown and answered elsewhere.
 *
 * <p>When the database fails it lets nobody wait: callers are answered, and it reopens and checks
 * until it can write again. Only a commit whose answer was lost is held back for a while, because
 * reopening tells how it ended.
 */
final class JournalWriter implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(JournalWriter.class);

  private static final long PAUSE_MILLIS_MIN = 50;
  private static final long PAUSE_MILLIS_MAX = 1_000;

  /** What the writer tells its journal. */
  interface Owner {
    void stateIs(JournalState state);

    /** Shows a durable batch to readers and answers its callers, without holding up the writer. */
    void durable(AppendBatch appendBatch);

    /** Shows what turned out to be stored, without holding up the writer. */
    void storedUpTo(long position);

    /** Refuses callers, without holding up the writer. */
    void refuse(List<Request> requests, Append.Refused refusal);
  }

  private final Database database;
  private final AppendQueue queue;
  private final CheckpointWriter checkpointWriter;
  private final JournalSettings settings;
  private final JournalFigures figures;
  private final Owner owner;
  private final RecentEvents recentEvents = new RecentEvents();
  private final LeafHasher hasher = new LeafHasher();
  private final CountDownLatch closing = new CountDownLatch(1);
  private WriterSession writerSession;
  private Append.@Nullable Distrusted distrusted;

  JournalWriter(
      WriterSession writerSession,
      Database database,
      AppendQueue queue,
      CheckpointWriter checkpointWriter,
      JournalSettings settings,
      JournalFigures figures,
      Owner owner) {
    this.writerSession = writerSession;
    this.database = database;
    this.queue = queue;
    this.checkpointWriter = checkpointWriter;
    this.settings = settings;
    this.figures = figures;
    this.owner = owner;
  }

  /** Lets the writer finish what was taken, then end. */
  void close() {
    queue.close();
    closing.countDown();
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
    writerSession.close();
    checkpointWriter.close();
  }

  /** All that was acknowledged is durable before. */
  private void finish() {
    try {
      writerSession.finish();
    } catch (SQLException | RuntimeException e) {
      log.atWarn()
          .addKeyValue("failure", DatabaseFailure.describe(e))
          .log("the journal's database is put in order at its next start");
    }
  }

  private List<Request> take() {
    try {
      return queue.take(checkpointWriter.millisUntilDue());
    } catch (InterruptedException e) {
      // nobody interrupts this thread: an interrupt near the embedded engine would close its file
      log.atWarn().setCause(e).log("journal writer was interrupted and goes on");
      return List.of();
    }
  }

  private void write(List<Request> requests) {
    if (distrusted != null) {
      // these were taken before the failure that brought the distrust to light
      owner.refuse(requests, distrusted);
      return;
    }
    AppendBatch appendBatch = null;
    try {
      appendBatch = AppendBatch.write(requests, writerSession, recentEvents, hasher);
      checkpointWriter.addIfDue(writerSession, appendBatch.edge());
      commit(appendBatch);
    } catch (SQLException | RuntimeException | Error e) {
      // an Error too: the PostgreSQL driver throws one when its connection breaks within a batch,
      // and without this thread nobody would ever be answered
      recentEvents.forget();
      failed(requests, appendBatch, e);
    }
  }

  private void commit(AppendBatch appendBatch) throws SQLException {
    long start = System.nanoTime();
    writerSession.commit();
    figures.commitNanos.add(System.nanoTime() - start);
    checkpointWriter.committed(appendBatch.edge().size());
    count(appendBatch);
    owner.durable(appendBatch);
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

  private void failed(
      List<Request> requests, @Nullable AppendBatch appendBatch, Throwable failure) {
    checkpointWriter.forgetPending();
    if (writerSession.stage() == WriterSession.Stage.WRITING
        && DatabaseFailure.isOfTheData(failure)
        && rolledBack()) {
      divide(requests, failure);
      return;
    }
    recover(requests, appendBatch, failure);
  }

  private boolean rolledBack() {
    try {
      writerSession.rollback();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** An event that the database will not take fails its own caller and nobody else. */
  private void divide(List<Request> requests, Throwable failure) {
    if (requests.size() == 1) {
      figures.unstorable.increment();
      log.atWarn().setCause(failure).log("an event cannot be stored");
      owner.refuse(requests, new Append.Unstorable("the database does not take this event"));
      return;
    }
    int half = requests.size() / 2;
    write(requests.subList(0, half));
    write(requests.subList(half, requests.size()));
  }

  private void recover(
      List<Request> requests, @Nullable AppendBatch appendBatch, Throwable failure) {
    String reason = "the journal cannot write to its database; it keeps trying";
    log.atError()
        .addKeyValue("stage", writerSession.stage())
        .addKeyValue("failure", DatabaseFailure.describe(failure))
        .log(reason);
    owner.stateIs(new JournalState.Unavailable(reason));
    Doubt doubt = doubt(requests, appendBatch, reason);
    writerSession.abandon();
    reopen(doubt, reason);
  }

  private Doubt doubt(List<Request> requests, @Nullable AppendBatch appendBatch, String reason) {
    Doubt doubt = new Doubt(appendBatch, requests, settings.limits().inDoubtMillisMax());
    switch (writerSession.stage()) {
      case WRITING -> doubt.end(new Append.Unavailable(reason));
      // committed, but that a later force succeeds does not prove that these bytes were written
      case FORCING -> doubt.giveUp(reason);
      case COMMITTING -> {}
    }
    return doubt;
  }

  private void reopen(Doubt doubt, String reason) {
    long pauseMillis = PAUSE_MILLIS_MIN;
    do {
      refuseWaiting(reason);
      try {
        writerSession = WriterSession.open(database);
        resume(doubt);
        return;
      } catch (SQLException | RuntimeException | Error e) {
        log.atDebug().setCause(e).log("the journal's database is not back yet");
        writerSession.abandon();
      }
      doubt.giveUpWhenLate(reason);
      pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
    } while (!closedWithin(pauseMillis));
    doubt.giveUp(reason);
    refuseWaiting(reason);
  }

  private void resume(Doubt doubt) throws SQLException {
    RightEdge edge = writerSession.lockEdge();
    String disagreement = checkpointWriter.disagreement(writerSession, edge);
    writerSession.rollback();
    writerSession.force();
    boolean tookPlace = doubt.tookPlace(writerSession, edge);
    writerSession.rollback();
    figures.recoveries.increment();
    distrusted = disagreement == null ? null : new Append.Distrusted(disagreement);
    owner.storedUpTo(edge.size());
    owner.stateIs(
        disagreement == null
            ? new JournalState.Writable()
            : new JournalState.Distrusted(disagreement));
    doubt.resolve(tookPlace);
    log.atInfo().addKeyValue("position", edge.size()).log("the journal's database is back");
  }

  /** Callers whose commit may have taken place, until they are told how it ended. */
  private final class Doubt {
    private @Nullable AppendBatch appendBatch;
    private List<Request> requests;
    private final long deadlineNanos;

    Doubt(@Nullable AppendBatch appendBatch, List<Request> requests, long waitMillis) {
      this.appendBatch = appendBatch;
      this.requests = requests;
      this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    }

    /** Tells by the rows, which must have been forced before. */
    boolean tookPlace(WriterSession writerSession, RightEdge edge) throws SQLException {
      return appendBatch != null && isStored(appendBatch, writerSession, edge);
    }

    void resolve(boolean tookPlace) {
      if (appendBatch != null && tookPlace) {
        count(appendBatch);
        owner.durable(appendBatch);
        settled();
      } else {
        end(new Append.Unavailable("the database failed before it stored this"));
      }
    }

    void end(Append.Refused refusal) {
      if (!requests.isEmpty()) {
        owner.refuse(requests, refusal);
      }
      settled();
    }

    private void settled() {
      appendBatch = null;
      requests = List.of();
    }

    private boolean isStored(AppendBatch appendBatch, WriterSession writerSession, RightEdge edge)
        throws SQLException {
      if (appendBatch.entries().isEmpty()) {
        return true;
      }
      Entry last = appendBatch.entries().getLast();
      if (edge.size() < last.position()) {
        return false;
      }
      List<Entry> found =
          writerSession.read(
              new RowSelection.Everything(), last.position() - 1, last.position(), 1);
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
      end(new Append.InDoubt(reason + "; what was being stored may be there"));
    }
  }

  private void refuseWaiting(String reason) {
    List<Request> waiting = queue.takeAll();
    if (!waiting.isEmpty()) {
      owner.refuse(waiting, new Append.Unavailable(reason));
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
      RightEdge edge = writerSession.lockEdge();
      checkpointWriter.add(writerSession, edge);
      writerSession.commit();
      checkpointWriter.committed(edge.size());
    } catch (SQLException | RuntimeException | Error e) {
      checkpointWriter.forgetPending();
      recover(List.of(), null, e);
    }
  }
}
