package gatebook.events.journal;

import gatebook.events.journal.AppendQueue.Offer;
import gatebook.events.journal.AppendQueue.Request;
import gatebook.events.journal.JournalState.Closed;
import gatebook.events.journal.JournalState.Distrusted;
import gatebook.events.journal.JournalState.ReadOnly;
import gatebook.events.journal.JournalState.RolledBack;
import gatebook.events.journal.JournalState.Unavailable;
import gatebook.events.journal.JournalState.Writable;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.ConsistencyProof;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.journal.tree.RightEdge;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal: every event once, in one order, durable before any reader or caller sees it.
 *
 * <p>Positions are dense and start at 1; the order of commits is the order of positions. An append
 * is stored whole or not at all, and a completed one survives what the {@link Durability} says.
 * Appending never blocks and never throws for what happens outside this process: the result is a
 * value. Results are completed on threads of the journal's own, so that callers' continuations
 * never hold up the writer.
 */
public final class Journal implements JournalAccess, ProvableJournal, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Journal.class);
  private static final long RETRY_AFTER_MILLIS = 1_000;
  private static final long CALLBACKS_MILLIS_MAX = 2_000;

  /** The result of opening a journal. */
  public sealed interface OpenResult {
    record Opened(Journal journal) implements OpenResult {}

    /** Nothing was opened; the sentence says to an operator why and what to do. */
    record Refused(String sentence) implements OpenResult {}
  }

  private final JournalSettings settings;
  private final JournalStorage storage;
  private final AppendQueue queue;
  private final TailBuffer tailBuffer;
  private final JournalReader reader;
  private final JournalFigures figures;
  private final CheckpointWriter checkpointWriter;
  private final CheckpointKeyRotation checkpointKeyRotation;
  private final JournalWriter journalWriter;
  private final Thread writerThread;
  private final ExecutorService callbacks;
  private final ExecutorService readExecutor;
  private volatile JournalState state;
  private volatile Runnable stopFollowing = () -> {};

  private Journal(
      JournalSettings settings,
      JournalStorage storage,
      StorageWriter storageWriter,
      CheckpointWriter checkpointWriter)
      throws StorageFailure {
    this.settings = settings;
    this.storage = storage;
    this.figures = checkpointWriter.figures();
    this.checkpointWriter = checkpointWriter;
    this.checkpointKeyRotation =
        new CheckpointKeyRotation(
            checkpointWriter.keys(),
            settings.keyFile(),
            storage.isShared(),
            (statement, introduction) ->
                append(
                    settings.node(), ConflictCondition.none(), List.of(statement), introduction));
    RightEdge edge = lockEdge(storageWriter);
    this.state = checkpointWriter.check(storageWriter, edge);
    if (state instanceof ReadOnly(String reason)) {
      log.warn(reason);
    }
    if (state instanceof RolledBack(String reason)) {
      log.error(reason);
    }
    if (state instanceof Writable) {
      checkpointWriter.signEmptyJournal(storageWriter, edge);
    }
    storageWriter.rollback();
    this.queue = new AppendQueue(settings.limits());
    this.tailBuffer = new TailBuffer(settings.limits(), edge.size());
    this.reader = new JournalReader(storage, tailBuffer, this::stop);
    this.callbacks =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("journal-", 0).factory());
    this.readExecutor = Executors.newVirtualThreadPerTaskExecutor();
    this.journalWriter =
        new JournalWriter(
            storageWriter, storage, queue, checkpointWriter, settings, figures, new Publisher());
    this.writerThread = Thread.ofPlatform().name("journal-writer").unstarted(journalWriter);
  }

  private static RightEdge lockEdge(StorageWriter storageWriter) throws StorageFailure {
    try (SlowOperation _ =
        SlowOperation.start(() -> "waiting until no other node writes to the journal")) {
      return storageWriter.lockEdge();
    }
  }

  public static OpenResult open(JournalSettings settings) {
    JournalStorage storage = settings.storage();
    try {
      return new OpenResult.Opened(open(settings, storage));
    } catch (OpenRefusal e) {
      storage.close();
      return new OpenResult.Refused(e.sentence());
    } catch (StorageFailure e) {
      storage.close();
      return new OpenResult.Refused(
          "the journal %s cannot be opened: %s"
              .formatted(storage.describe(), StorageFailure.describe(e)));
    }
  }

  private static Journal open(JournalSettings settings, JournalStorage storage)
      throws OpenRefusal, StorageFailure {
    CheckpointWriter checkpointWriter = CheckpointWriter.of(settings);
    StorageWriter storageWriter = openSession(storage);
    try {
      Journal journal = new Journal(settings, storage, storageWriter, checkpointWriter);
      journal.start();
      checkpointWriter.stampSealed(storage);
      return journal;
    } catch (StorageFailure | RuntimeException e) {
      storageWriter.close();
      throw e;
    }
  }

  private static StorageWriter openSession(JournalStorage storage)
      throws OpenRefusal, StorageFailure {
    String name = storage.describe();
    try (SlowOperation _ =
        SlowOperation.start(
            "opening the journal", "journal", storage.isShared() ? name : Path.of(name))) {
      storage.open();
      return storage.writer();
    }
  }

  private void start() {
    writerThread.start();
    stopFollowing = storage.followOthers(reader::catchUp);
  }

  /** Another node recorded that the journal was rolled back. */
  private void stop(RecordedRollback rollback) {
    if (state instanceof Writable) {
      state = new RolledBack(rollback.sentence());
      log.error(rollback.sentence());
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
    return append(node, conflictCondition, drafts, null);
  }

  private CompletableFuture<Append> append(
      String node,
      ConflictCondition conflictCondition,
      List<DraftEvent> drafts,
      @Nullable KeyIntroduction introduction) {
    if (drafts.isEmpty()) {
      throw new IllegalArgumentException("an append without events");
    }
    Append.Refused refusal = refusal(drafts);
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    return offer(
        new Request(
            node,
            conflictCondition,
            List.copyOf(drafts),
            bytes(drafts),
            introduction,
            new CompletableFuture<>()));
  }

  private static long bytes(List<DraftEvent> drafts) {
    long bytes = 0;
    for (DraftEvent draft : drafts) {
      bytes += draft.bytes();
    }
    return bytes;
  }

  private CompletableFuture<Append> offer(Request request) {
    return switch (queue.offer(request)) {
      case Offer.TAKEN -> request.result();
      case Offer.FULL -> CompletableFuture.completedFuture(overloaded());
      case Offer.CLOSED -> CompletableFuture.completedFuture(closed());
    };
  }

  /** Signs a checkpoint over everything that is stored now, unless one covers it. */
  public CompletableFuture<Append> sign() {
    Append.Refused refusal = refusal(List.of());
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    journalWriter.requestCheckpoint();
    return offer(
        new Request(
            settings.node(),
            ConflictCondition.none(),
            List.of(),
            0,
            null,
            new CompletableFuture<>()));
  }

  /**
   * Whether an event is covered by a checkpoint, in the journal and in the file beside it; of a
   * shared journal another process may have the newer file. Blocks.
   */
  public boolean isCovered(long position) {
    return newestCheckpoint().filter(it -> it.size() >= position).isPresent()
        && (storage.isShared() || checkpointWriter.sizeInFile() >= position);
  }

  private Append.@Nullable Refused refusal(List<DraftEvent> drafts) {
    return switch (state) {
      case Unavailable unavailable -> unavailable(unavailable.reason());
      case Distrusted distrusted -> new Append.Distrusted(distrusted.reason());
      case ReadOnly readOnly -> new Append.ReadOnly(readOnly.reason());
      case RolledBack rolledBack -> new Append.ReadOnly(rolledBack.reason());
      case Closed _ -> closed();
      case Writable _ -> unstorable(drafts);
    };
  }

  private Append.@Nullable Refused unstorable(List<DraftEvent> drafts) {
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
    return reader.read(after, limit);
  }

  /** Reads the storage and blocks. */
  @Override
  public List<Entry> find(@Nullable EventCriteria criteria, long after, long upTo, int limit) {
    return reader.find(criteria, after, upTo, limit);
  }

  /** The position before the first event at or after a time; the head when there is none. */
  @Override
  public long positionBefore(Instant at) {
    return reader.positionBefore(at);
  }

  /** The stored leaves after a position; one without a row has the leaf of a missing event. */
  public List<byte[]> leaves(long after, long upTo) {
    return reader.leaves(after, upTo);
  }

  @Override
  public ConsistencyProof consistency(long from, long to) {
    return reader.consistency(from, to);
  }

  /**
   * The path from the leaf of an event to the root of the tree of the first {@code size} events;
   * both are stored. Blocks. Whoever uses it compares where it leads to.
   */
  public InclusionPath inclusion(long position, long size) {
    return reader.inclusion(position, size);
  }

  /** The end of what was dropped for good; empty when nothing was. Reads give what is kept. */
  public Optional<DroppedThrough> droppedThrough() {
    return reader.droppedThrough();
  }

  /** The events that can be dropped for good; empty when this journal drops none. */
  public Optional<DroppableEvents> droppable() {
    return storage.droppable();
  }

  /**
   * At most {@code limit} nodes that wrote events after a position, each with the time of its
   * newest one, RFC 3339 in UTC; newest first.
   */
  public SequencedMap<String, String> nodesAfter(long after, int limit) {
    return reader.nodesAfter(after, limit);
  }

  @Override
  public Optional<StoredCheckpoint> checkpointOver(long size) {
    return reader.checkpointOver(size);
  }

  @Override
  public Optional<StoredCheckpoint> newestCheckpoint() {
    return reader.newestCheckpoint();
  }

  /** The public key that verifies this journal's newest checkpoint. */
  public VerifierKey verifier() {
    return checkpointWriter.keys().verifier();
  }

  /**
   * The signed note of a text that cannot be taken for a checkpoint, since its first line is the
   * name of no log; empty when this node signs nothing now.
   *
   * @param origin the name of the log, which is that of the signing key
   */
  public Optional<byte[]> signNote(String text, String origin) {
    return state instanceof Writable && refusalToSign().isEmpty()
        ? checkpointWriter.keys().sign(text, origin)
        : Optional.empty();
  }

  /** Replaces the key that signs checkpoints. */
  public CheckpointKeyRotation checkpointKeyRotation() {
    return checkpointKeyRotation;
  }

  /** Why this node signs no checkpoints, as another one rotated the key; empty when it signs. */
  public Optional<String> refusalToSign() {
    return Optional.ofNullable(checkpointWriter.refusalToSign());
  }

  /** The public keys that signed this journal's checkpoints, one after the other. */
  public KeyHistory keyHistory() {
    return checkpointWriter.keys().history();
  }

  /** A snapshot of everything stored now, while appending goes on; the caller closes it. */
  public JournalSnapshot snapshot() {
    return JournalSnapshot.ofOpen(settings, storage);
  }

  /** The executor for reads that block. */
  public ExecutorService readExecutor() {
    return readExecutor;
  }

  /**
   * Calls back, soon and at least once, after events became visible; never on the writer's thread.
   *
   * @return stops the calls
   */
  public Runnable follow(Runnable onAppend) {
    return tailBuffer.follow(onAppend);
  }

  /**
   * Drops from memory the objects that newest events were written from, so that their content is
   * read only with its keys.
   */
  public void dropContent() {
    tailBuffer.dropContent();
  }

  /** Removes from memory the events up to a position, since some of them were dropped for good. */
  public void removeFromMemory(long upTo) {
    tailBuffer.removeUpTo(upTo);
  }

  public JournalState state() {
    return state;
  }

  /** The name under which this process writes. */
  public String node() {
    return settings.node();
  }

  /** The files that were removed, replaced or changed while they are open, for operators. */
  public List<String> damagedFiles() {
    return storage.damagedFiles();
  }

  /** How often moving segments to the archive failed since the journal was opened. */
  public long archiveFailures() {
    return storage.archiveFailures();
  }

  /** Whether an event is in an archive only, so that reading it takes longer. */
  public boolean isArchived(long position) {
    return storage.isArchived(position);
  }

  /** How many bytes the journal takes on its disk. */
  public long bytes() {
    return reader.bytes();
  }

  /** Where it is stored. */
  public JournalSettings.Location location() {
    return settings.location();
  }

  /** Whether other processes append to the same journal. */
  public boolean isShared() {
    return storage.isShared();
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

  /** Stores the queued appends, signs a last checkpoint, and closes the storage. */
  @Override
  public void close() {
    state = new Closed();
    journalWriter.close();
    join(writerThread);
    stopFollowing.run();
    shutDown(callbacks);
    readExecutor.close();
    storage.close();
  }

  /** Results were completed; a caller whose continuation blocks does not keep the journal open. */
  private static void shutDown(ExecutorService callbacks) {
    callbacks.shutdown();
    try {
      if (!callbacks.awaitTermination(CALLBACKS_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
        log.atWarn().log("the journal closes while callers still handle results");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Publishes what the writer stored to readers, and results to callers. */
  private final class Publisher implements JournalWriter.Listener {
    @Override
    public void stateChanged(JournalState newState) {
      if (!(state instanceof Closed)) {
        state = newState;
      }
    }

    @Override
    public void batchStored(AppendBatch appendBatch) {
      var _ = tailBuffer.publish(appendBatch.entries());
      callbacks.execute(() -> {
        try {
          // what comes before, or an append conflicts with, may be of another node
          if (tailBuffer.head() < appendBatch.edge().size()) {
            catchUp(appendBatch.edge().size());
          }
        } finally {
          appendBatch.completeRequests();
        }
        tailBuffer.notifyListeners();
      });
    }

    private void catchUp(long position) {
      try {
        reader.catchUp(position);
      } catch (JournalUnreadable e) {
        log.atWarn()
            .setCause(e)
            .log("stored events cannot be read back now: readers see them later");
      }
    }

    @Override
    public void storedUpTo(long position) {
      callbacks.execute(() -> catchUp(position));
    }

    @Override
    public void requestsRefused(List<Request> requests, Append.Refused refusal) {
      if (refusal instanceof Append.Unavailable || refusal instanceof Append.InDoubt) {
        figures.unavailable.add(requests.size());
      }
      callbacks.execute(() -> requests.forEach(request -> request.result().complete(refusal)));
    }
  }
}
