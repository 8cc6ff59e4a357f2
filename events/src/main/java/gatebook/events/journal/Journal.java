package gatebook.events.journal;

import gatebook.events.journal.AppendQueue.Offer;
import gatebook.events.journal.AppendQueue.Request;
import gatebook.events.journal.JournalState.Closed;
import gatebook.events.journal.JournalState.Distrusted;
import gatebook.events.journal.JournalState.Unavailable;
import gatebook.events.journal.JournalState.Writable;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.RightEdge;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The book: every event once, in one order, durable before anybody hears of it.
 *
 * <p>Positions are dense and start at 1; the order of commits is the order of positions. An append
 * is stored whole or not at all, and a completed one survives what the {@link Durability} says.
 * Appending never blocks and never throws for what happens outside this process: the answer is a
 * value. Answers come on threads of the journal's own, so that callers' continuations never hold up
 * the writer.
 */
public final class Journal implements JournalAccess, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Journal.class);
  private static final long RETRY_AFTER_MILLIS = 1_000;
  private static final long ANSWERS_MILLIS_MAX = 2_000;
  private static final int PAGE = 1_000;

  /** What came of opening a journal. */
  public sealed interface Opening {
    record Opened(Journal journal) implements Opening {}

    /** Nothing was opened; the sentence tells an operator why and what to do. */
    record Refused(String sentence) implements Opening {}
  }

  private final JournalSettings settings;
  private final Database database;
  private final AppendQueue queue;
  private final TailBuffer tailBuffer;
  private final JournalFigures figures;
  private final VerifierKey verifier;
  private final JournalWriter journalWriter;
  private final Thread writerThread;
  private final ExecutorService signals;
  private final ExecutorService finders;
  private final @Nullable AppendNotifications appendNotifications;
  private volatile JournalState state;

  private Journal(
      JournalSettings settings,
      Database database,
      WriterSession writerSession,
      CheckpointWriter checkpointWriter)
      throws SQLException {
    this.settings = settings;
    this.database = database;
    this.figures = checkpointWriter.figures();
    this.verifier = checkpointWriter.verifier();
    RightEdge edge = edge(writerSession);
    this.state = trust(checkpointWriter.disagreement(writerSession, edge));
    if (state instanceof Writable) {
      checkpointWriter.begin(writerSession, edge);
    }
    writerSession.rollback();
    this.queue = new AppendQueue(settings.limits());
    this.tailBuffer = new TailBuffer(settings.limits(), edge.size());
    this.signals =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("journal-", 0).factory());
    this.finders = Executors.newVirtualThreadPerTaskExecutor();
    this.journalWriter =
        new JournalWriter(
            writerSession, database, queue, checkpointWriter, settings, figures, new Readership());
    this.writerThread = Thread.ofPlatform().name("journal-writer").unstarted(journalWriter);
    this.appendNotifications =
        database instanceof PostgresDatabase shared ? new AppendNotifications(shared, this) : null;
  }

  private static RightEdge edge(WriterSession writerSession) throws SQLException {
    try (SlowOperation _ =
        SlowOperation.on(() -> "waiting until no other node writes to the journal")) {
      return writerSession.lockEdge();
    }
  }

  private static JournalState trust(@Nullable String disagreement) {
    if (disagreement == null) {
      return new Writable();
    }
    log.atError()
        .addKeyValue("disagreement", disagreement)
        .log("the journal's rows disagree with its newest checkpoint: nothing is appended");
    return new Distrusted(disagreement);
  }

  public static Opening open(JournalSettings settings) {
    Database database = settings.database();
    try {
      return new Opening.Opened(opened(settings, database));
    } catch (OpenRefusal e) {
      database.close();
      return new Opening.Refused(e.sentence());
    } catch (SQLException e) {
      database.close();
      return new Opening.Refused(
          "the database %s cannot be opened: %s"
              .formatted(database.describe(), DatabaseFailure.describe(e)));
    }
  }

  private static Journal opened(JournalSettings settings, Database database)
      throws OpenRefusal, SQLException {
    CheckpointWriter checkpointWriter = CheckpointWriter.of(settings);
    WriterSession writerSession = session(database);
    try {
      Journal journal = new Journal(settings, database, writerSession, checkpointWriter);
      journal.start();
      return journal;
    } catch (SQLException | RuntimeException e) {
      writerSession.close();
      throw e;
    }
  }

  private static WriterSession session(Database database) throws OpenRefusal, SQLException {
    String where = database.describe();
    try (SlowOperation _ =
        SlowOperation.on(
            "opening the journal's database",
            "database",
            database.isShared() ? where : Path.of(where))) {
      database.check();
      JournalSchema.prepare(database);
      return WriterSession.open(database);
    }
  }

  private void start() {
    writerThread.start();
    if (appendNotifications != null) {
      appendNotifications.start();
    }
  }

  @Override
  public CompletableFuture<Append> append(
      ConflictCondition conflictCondition, List<DraftEvent> drafts) {
    return append(settings.node(), conflictCondition, drafts);
  }

  /**
   * Stores events of another process.
   *
   * @param node the name under which that process writes
   */
  public CompletableFuture<Append> append(
      String node, ConflictCondition conflictCondition, List<DraftEvent> drafts) {
    if (drafts.isEmpty()) {
      throw new IllegalArgumentException("an append without events");
    }
    Append.Refused refusal = refusal(drafts);
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    Request request =
        new Request(
            node,
            conflictCondition,
            List.copyOf(drafts),
            drafts.stream().mapToLong(DraftEvent::bytes).sum(),
            new CompletableFuture<>());
    return switch (queue.offer(request)) {
      case Offer.TAKEN -> request.answer();
      case Offer.FULL -> CompletableFuture.completedFuture(overloaded());
      case Offer.CLOSED -> CompletableFuture.completedFuture(closed());
    };
  }

  private Append.@Nullable Refused refusal(List<DraftEvent> drafts) {
    return switch (state) {
      case Unavailable unavailable -> unavailable(unavailable.reason());
      case Distrusted distrusted -> new Append.Distrusted(distrusted.reason());
      case Closed _ -> closed();
      case Writable _ -> flaw(drafts);
    };
  }

  private Append.@Nullable Refused flaw(List<DraftEvent> drafts) {
    for (DraftEvent draftEvent : drafts) {
      String flaw = draftEvent.flaw(settings.limits().eventBytesMax());
      if (flaw != null) {
        figures.unstorable.increment();
        return new Append.Unstorable(flaw);
      }
    }
    return null;
  }

  private Append.Overloaded overloaded() {
    figures.overloaded.increment();
    return new Append.Overloaded("too much is waiting for the journal", RETRY_AFTER_MILLIS);
  }

  private Append.Unavailable unavailable(String reason) {
    figures.unavailable.increment();
    return new Append.Unavailable(reason);
  }

  private static Append.Closed closed() {
    return new Append.Closed("the journal is closed");
  }

  @Override
  public long head() {
    return tailBuffer.head();
  }

  /** At most {@code limit} events after a position, in order; empty when there are none yet. */
  public List<Entry> read(long after, int limit) {
    List<Entry> fromMemory = fromMemory(after, limit);
    return fromMemory.isEmpty() ? find(null, after, tailBuffer.head(), limit) : fromMemory;
  }

  private List<Entry> fromMemory(long after, int limit) {
    long head = tailBuffer.head();
    List<Entry> entries = new ArrayList<>();
    for (long position = after + 1; position <= head && entries.size() < limit; position++) {
      Entry entry = tailBuffer.get(position);
      if (entry == null) {
        break;
      }
      entries.add(entry);
    }
    return entries;
  }

  /** Reads the database and blocks. */
  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    if (after >= upTo) {
      return List.of();
    }
    try (Connection connection = database.reader()) {
      return EntryReader.read(connection, RowSelection.of(criteria), after, upTo, limit);
    } catch (SQLException e) {
      throw new JournalUnreadable(e);
    }
  }

  /** The position before the first event at or after a time; the head when there is none. */
  public long positionBefore(Instant at) {
    try (Connection connection = database.reader()) {
      return EntryReader.firstAt(connection, DraftEvent.at(at))
          .map(first -> first - 1)
          .orElseGet(tailBuffer::head);
    } catch (SQLException e) {
      throw new JournalUnreadable(e);
    }
  }

  /** What checkpoints of this journal are checked with. */
  public VerifierKey verifier() {
    return verifier;
  }

  /** Everything stored, of this moment and while appending goes on; the caller closes it. */
  public JournalSnapshot snapshot() {
    try {
      return JournalSnapshot.of(settings, database, () -> {});
    } catch (SQLException e) {
      throw new JournalUnreadable(e);
    }
  }

  /** Where reading that blocks may wait. */
  public ExecutorService finders() {
    return finders;
  }

  /**
   * Calls back, soon and at least once, after events became visible; never on the writer's thread.
   *
   * @return ends it
   */
  public Runnable follow(Runnable onAppend) {
    return tailBuffer.follow(onAppend);
  }

  public JournalState state() {
    return state;
  }

  public Durability durability() {
    return settings.durability();
  }

  public JournalFigures figures() {
    return figures;
  }

  public int queuedEvents() {
    return queue.events();
  }

  public long queuedBytes() {
    return queue.bytes();
  }

  /** Shows readers what another process, or this one with others in between, has stored. */
  synchronized void catchUp(long upTo) {
    while (tailBuffer.head() < upTo) {
      List<Entry> page = find(null, tailBuffer.head(), upTo, PAGE);
      if (page.isEmpty() || !tailBuffer.show(page)) {
        return;
      }
    }
    tailBuffer.wake();
  }

  /** Stores what was taken, signs a last checkpoint, and ends. */
  @Override
  public void close() {
    state = new Closed();
    journalWriter.close();
    joined(writerThread);
    if (appendNotifications != null) {
      appendNotifications.close();
    }
    ended(signals);
    finders.close();
    database.close();
  }

  /**
   * Answers were given out; a caller who blocks in his continuation does not keep the journal open.
   */
  private static void ended(ExecutorService signals) {
    signals.shutdown();
    try {
      if (!signals.awaitTermination(ANSWERS_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
        log.atWarn().log("the journal closes while callers still handle its answers");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What becomes of a batch once the writer is done with it. */
  private final class Readership implements JournalWriter.Owner {
    @Override
    public void stateIs(JournalState newState) {
      if (!(state instanceof Closed)) {
        state = newState;
      }
    }

    @Override
    public void durable(AppendBatch appendBatch) {
      boolean shown = tailBuffer.show(appendBatch.entries());
      signals.execute(() -> {
        try {
          if (!shown) {
            showUpTo(appendBatch.edge().size());
          }
        } finally {
          appendBatch.answer();
        }
        tailBuffer.wake();
      });
    }

    private void showUpTo(long position) {
      try {
        catchUp(position);
      } catch (JournalUnreadable e) {
        log.atWarn().setCause(e).log("stored events are shown to readers later");
      }
    }

    @Override
    public void storedUpTo(long position) {
      signals.execute(() -> showUpTo(position));
    }

    @Override
    public void refuse(List<Request> requests, Append.Refused refusal) {
      if (refusal instanceof Append.Unavailable || refusal instanceof Append.InDoubt) {
        figures.unavailable.add(requests.size());
      }
      signals.execute(() -> requests.forEach(request -> request.answer().complete(refusal)));
    }
  }
}
