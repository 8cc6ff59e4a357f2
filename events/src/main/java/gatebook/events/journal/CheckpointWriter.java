package gatebook.events.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.AcknowledgedCount;
import gatebook.events.journal.storage.CheckpointFile;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints: signs the journal, often enough that no event stays uncovered for long, and
 * keeps each checkpoint in the journal and the newest one in a file beside it.
 *
 * <p>Belongs to the writer's thread.
 */
final class CheckpointWriter {
  private static final Logger log = LoggerFactory.getLogger(CheckpointWriter.class);
  private static final long NOTHING_DUE_MILLIS = 60_000;

  private final CheckpointKeys keys;
  private final CheckpointFile file;
  private final CheckpointFileWriter fileWriter;
  private final AcknowledgedCount acknowledgedCount;
  private final JournalLimits limits;
  private final JournalFigures figures;
  private final Optional<RestoredMark> restored;
  private long coveredSize;
  private long seenSize;
  private long uncoveredSinceNanos;
  private boolean signs = true;
  private volatile boolean requested;
  private @Nullable StoredCheckpoint pending;
  private String knownOrigin;
  private @Nullable String knownNote;
  private @Nullable CheckpointKey introduced;
  private volatile @Nullable String refusalToSign;

  private CheckpointWriter(
      CheckpointKeys keys,
      CheckpointFile file,
      AcknowledgedCount acknowledgedCount,
      JournalLimits limits,
      JournalFigures figures,
      Optional<RestoredMark> restored) {
    this.keys = keys;
    this.knownOrigin = keys.verifier().name();
    this.file = file;
    this.fileWriter = new CheckpointFileWriter(file, figures);
    this.acknowledgedCount = acknowledgedCount;
    this.limits = limits;
    this.figures = figures;
    this.restored = restored;
  }

  static CheckpointWriter of(JournalSettings settings) throws OpenRefusal {
    Optional<RestoredMark> restored = RestoredMark.of(settings);
    if (restored.filter(it -> !it.isWhole()).isPresent()) {
      throw new OpenRefusal(
          "a restore into %s was not finished: run gatebook restore again"
              .formatted(RestoredMark.file(settings).toAbsolutePath().getParent()));
    }
    return of(settings, restored);
  }

  /**
   * Of a restored journal, or another one.
   *
   * @param restored present when nothing is appended
   */
  static CheckpointWriter of(JournalSettings settings, Optional<RestoredMark> restored)
      throws OpenRefusal {
    CheckpointKeys keys =
        restored.isPresent() && Files.notExists(settings.keyFile())
            ? CheckpointKeys.withoutPrivate(verifier(restored.get()))
            : keys(settings.keyFile());
    return new CheckpointWriter(
        keys,
        new CheckpointFile(settings.checkpointFile()),
        AcknowledgedCount.of(settings),
        settings.limits(),
        new JournalFigures(),
        restored);
  }

  private static CheckpointKeys keys(Path file) throws OpenRefusal {
    return switch (CheckpointKeys.loadOrCreate(file, CheckpointKey.newName())) {
      case LoadedKey.Key<CheckpointKeys>(CheckpointKeys keys) -> keys;
      case LoadedKey.Refused<CheckpointKeys>(String why) -> throw new OpenRefusal(why);
    };
  }

  private static VerifierKey verifier(RestoredMark restored) throws OpenRefusal {
    return switch (VerifierKey.parse(restored.key())) {
      case LoadedKey.Key<VerifierKey>(VerifierKey key) -> key;
      case LoadedKey.Refused<VerifierKey>(String why) -> throw new OpenRefusal(why);
    };
  }

  CheckpointKeys keys() {
    return keys;
  }

  /**
   * Why this node does not sign, since another key does and it lacks that key; null when it may.
   */
  @Nullable String refusalToSign() {
    return refusalToSign;
  }

  JournalFigures figures() {
    return figures;
  }

  /** What is sealed in the storage is verified and stamped with the signing key from now on. */
  void stampSealed(JournalStorage storage) {
    if (restored.isEmpty()) {
      storage.stampSealed(keys);
    }
  }

  /** Compares the rows with what was signed over them, and says in the log how they disagree. */
  JournalState check(StorageWriter storageWriter, RightEdge edge) throws StorageFailure {
    StoredCheckpoint newest = storageWriter.newestCheckpoint();
    coveredSize = newest == null ? 0 : newest.size();
    seenSize = edge.size();
    uncoveredSinceNanos = System.nanoTime();
    String refusal = newest == null ? null : keys.follow(newest.note());
    keys.learn(RecordedRotation.recorded(storageWriter, edge.size()));
    byte[] fileNote = file.read();
    String disagreement =
        new StartCheck(
                storageWriter, edge, newest, keys.history(), fileNote, acknowledgedCount.read())
            .disagreement();
    disagreement = disagreement == null ? refusal : disagreement;
    Optional<RecordedRollback> rollback = RecordedRollback.of(origin(storageWriter), storageWriter);
    signs = disagreement == null && restored.isEmpty() && rollback.isEmpty();
    if (signs && newest != null && !Arrays.equals(newest.note().getBytes(UTF_8), fileNote)) {
      fileWriter.write(newest.note()); // the process was killed before it had written this
    }
    if (disagreement == null) {
      return restored
          .<JournalState>map(mark -> new JournalState.ReadOnly(mark.sentence()))
          .or(() -> rollback.map(it -> new JournalState.RolledBack(it.sentence())))
          .orElseGet(JournalState.Writable::new);
    }
    log.atError()
        .addKeyValue("disagreement", disagreement)
        .log(
            "the journal is not what was signed and acknowledged, and nothing is appended: stop"
                + " this process and look with 'gatebook verify'; then restore the journal from a"
                + " copy, or accept it with 'gatebook verify --accept REASON'");
    return new JournalState.Distrusted(disagreement);
  }

  /** Signs the journal before its first event, so that every event has a checkpoint before it. */
  void signEmptyJournal(StorageWriter storageWriter, RightEdge edge) throws StorageFailure {
    if (storageWriter.newestCheckpoint() == null) {
      add(storageWriter, edge);
      storageWriter.commit();
      committed(edge.size());
    }
  }

  /** Signs nothing any longer. */
  void stop() {
    signs = false;
  }

  /** Whether there are events to sign; false when nothing is appended to the journal. */
  boolean isUncovered() {
    return signs && seenSize > coveredSize;
  }

  boolean isDue() {
    return isUncovered() && (millisUntilDue() <= 0 || exceedsEvents(seenSize));
  }

  private boolean exceedsEvents(long size) {
    return size - coveredSize >= limits.checkpointEventsMax();
  }

  long millisUntilDue() {
    if (!isUncovered()) {
      return NOTHING_DUE_MILLIS;
    }
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - uncoveredSinceNanos);
    return Math.max(0, limits.checkpointMillisMax() - passed);
  }

  /** The next batch gets a checkpoint. Any thread may call this. */
  void request() {
    requested = true;
  }

  /** Adds a checkpoint to the writer's transaction when the events it adds make one due. */
  void addIfDue(StorageWriter storageWriter, RightEdge edge) throws StorageFailure {
    if (edge.size() > coveredSize && (requested || exceedsEvents(edge.size()) || isDue())) {
      add(storageWriter, edge);
    }
  }

  /**
   * Adds a checkpoint under the origin of the newest one to the writer's transaction, unless this
   * node must not sign.
   */
  void add(StorageWriter storageWriter, RightEdge edge) throws StorageFailure {
    if (mayNotSign(storageWriter) == null) {
      add(storageWriter, edge, origin(storageWriter));
    } else {
      uncoveredSinceNanos = System.nanoTime(); // the next one is tried as late
    }
  }

  /** Adds a checkpoint, whichever key signed the newest one: an operator accepts that. */
  void add(StorageWriter storageWriter, RightEdge edge, String origin) throws StorageFailure {
    add(storageWriter, edge, origin, keys.signing());
  }

  /** Adds the checkpoint by which the signing key hands over to the next one. */
  void addIntroducing(StorageWriter storageWriter, RightEdge edge, CheckpointKey next)
      throws StorageFailure {
    add(storageWriter, edge, origin(storageWriter), keys.signing(), next);
    introduced = next;
  }

  /** Why this key can sign nothing any longer; empty when no rotation replaced it. */
  Optional<String> replacement(StorageWriter storageWriter) throws StorageFailure {
    keys.learn(RecordedRotation.recorded(storageWriter, Long.MAX_VALUE));
    return keys.history().trustsNewest()
        ? Optional.empty()
        : Optional.of(
            "the checkpoint key %s was replaced: put back the newest one; without a copy, remove this one and start the gateway once, which makes a new one"
                .formatted(keys.verifier().label()));
  }

  /** Why a key cannot be introduced; null when it can. */
  @Nullable String obstacle(StorageWriter storageWriter, KeyIntroduction introduction)
      throws StorageFailure {
    VerifierKey newKey = introduction.newKey().verifier();
    String refusal = mayNotSign(storageWriter);
    if (refusal != null) {
      return refusal;
    }
    if (!keys.verifier().equals(introduction.oldKey())) {
      return "the checkpoint key was rotated by another node at the same time";
    }
    return newKey.isSameKey(introduction.oldKey())
            || !newKey.name().equals(introduction.oldKey().name())
        ? "the file of the new key has the key %s, which cannot follow %s: remove it, and another is made"
            .formatted(newKey.label(), introduction.oldKey().label())
        : null;
  }

  /** Why this node must not sign; null when it may. Another node may have rotated the key. */
  @Nullable String mayNotSign(StorageWriter storageWriter) throws StorageFailure {
    StoredCheckpoint newest = storageWriter.newestCheckpoint();
    VerifierKey before = keys.verifier();
    String refusal = newest == null ? null : keys.follow(newest.note());
    if (!keys.verifier().equals(before)) {
      keys.learn(RecordedRotation.recorded(storageWriter, Long.MAX_VALUE));
    }
    if (refusal != null && !refusal.equals(refusalToSign)) {
      log.atError().addKeyValue("why", refusal).log("this node signs no checkpoints");
    }
    refusalToSign = refusal;
    return refusal;
  }

  private void add(
      StorageWriter storageWriter, RightEdge edge, String origin, CheckpointKey... signers)
      throws StorageFailure {
    StoredCheckpoint newest = storageWriter.newestCheckpoint();
    Checkpoint checkpoint = new Checkpoint(origin, edge.size(), edge.root());
    StoredCheckpoint next =
        new StoredCheckpoint(
            newest == null ? 1 : newest.number() + 1,
            edge.size(),
            new String(
                checkpoint.signedBy(
                    Stream.of(signers).map(it -> it.named(origin)).toArray(CheckpointKey[]::new)),
                UTF_8),
            edge.bytes());
    storageWriter.insertCheckpoint(next);
    requested = false;
    pending = next;
    knownNote = next.note();
    knownOrigin = origin;
  }

  /**
   * The origin of the newest checkpoint that this key signed. Before the first one it is the name
   * of the key.
   */
  String origin(StorageWriter storageWriter) throws StorageFailure {
    StoredCheckpoint newest = storageWriter.newestCheckpoint();
    if (newest != null && !newest.note().equals(knownNote)) {
      knownNote = newest.note();
      if (Checkpoint.open(newest.note().getBytes(UTF_8), List.of(keys.verifier()))
          instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _)) {
        knownOrigin = checkpoint.origin();
      }
    }
    return knownOrigin;
  }

  /** The writer's transaction is durable, with the checkpoint that it may have contained. */
  void committed(long size) {
    if (size != seenSize) {
      acknowledgedCount.write(size);
    }
    if (!isUncovered() && size > coveredSize) {
      uncoveredSinceNanos = System.nanoTime();
    }
    seenSize = size;
    if (introduced != null) {
      keys.replaceWith(introduced, size);
      introduced = null;
    }
    if (pending != null) {
      coveredSize = pending.size();
      uncoveredSinceNanos = System.nanoTime();
      figures.checkpoints.increment();
      fileWriter.write(pending.note());
      pending = null;
    }
  }

  /** How many events the checkpoint in the file signs; any thread may ask, and is blocked. */
  long sizeInFile() {
    fileWriter.await();
    byte[] note = file.read();
    return note != null
            && keys.history().open(note) instanceof OpenedNote.Valid<Checkpoint>(Checkpoint it, _)
        ? it.size()
        : 0;
  }

  void close() {
    fileWriter.close();
    acknowledgedCount.close();
  }

  void forgetPending() {
    pending = null;
    introduced = null;
  }
}
