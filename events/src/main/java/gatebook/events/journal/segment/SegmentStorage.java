package gatebook.events.journal.segment;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.archive.FetchedSegments;
import gatebook.events.journal.segment.archive.SegmentArchiver;
import gatebook.events.journal.segment.archive.SegmentDrop;
import gatebook.events.journal.segment.archive.SegmentMove;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.segment.stamp.SegmentCompressor;
import gatebook.events.journal.segment.stamp.SegmentFileWatch;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.OpenedFile;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageSnapshot;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage of a journal in segments: append-only files, used by one process.
 *
 * <p>Only the last segment is written. When it is long enough it is sealed, and the next one
 * begins: then its index is written to a file by a thread of its own. Readers see a batch when it
 * is durable.
 */
final class SegmentStorage implements JournalStorage {
  private static final Logger log = LoggerFactory.getLogger(SegmentStorage.class);

  /** The extension of a journal that an older version wrote, and the mark of its copying. */
  private static final String OLDER = ".mv.db";

  private static final String COPYING = "taking-over";

  private final SegmentLocation location;
  private final FetchedSegments fetched;
  private final SegmentFiles files;
  private final SegmentDisk disk;
  private final Durability durability;
  private final JournalLimits limits;
  private final ReadHandles handles = new ReadHandles();
  private final ExecutorService sealer =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("journal-sealer-", 0).factory());
  private volatile Segments segments = Segments.NONE;
  private volatile long head;
  private volatile boolean loaded;
  private @Nullable DirectoryLock lock;
  private volatile @Nullable OpenedFile written;
  private volatile @Nullable SegmentStamper stamper;
  private @Nullable SegmentSnapshot reading;
  private volatile @Nullable SegmentFileWatch watch;
  private volatile @Nullable SegmentArchiver archiver;
  private volatile @Nullable DroppableSegments droppable;
  private boolean writing;

  SegmentStorage(SegmentLocation location, Durability durability, JournalLimits limits) {
    this.location = location;
    Path directory = location.directory().toAbsolutePath();
    this.fetched =
        new FetchedSegments(
            location.retention(), () -> loaded ? Optional.of(directory) : Optional.empty());
    this.files = new SegmentFiles(directory, handles, new FilterMemory(), fetched);
    this.disk = location.disk();
    this.durability = durability;
    this.limits = limits;
  }

  /** A use of the files. */
  @FunctionalInterface
  interface Use<T> {
    T run() throws IOException;
  }

  static <T> T run(Use<T> use) throws StorageFailure {
    try {
      return use.run();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  static StorageFailure failure(IOException e) {
    return new StorageFailure(StorageFailure.describe(e), e);
  }

  @Override
  public void open() throws OpenRefusal, StorageFailure {
    try {
      requireNoOlderJournal();
      if (!Files.isDirectory(files.directory())) {
        Files.createDirectory(files.directory());
        files.forceParent();
      }
      hold(DirectoryLock.take(files.directory()));
      List<Long> firsts = files.firsts();
      if (firsts.isEmpty() || isUnfinishedStart(firsts)) {
        create(SegmentHeader.after(new RightEdge()));
      } else {
        requireKnownVersion(firsts.getLast());
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void openExisting() throws OpenRefusal, StorageFailure {
    try {
      requireNoOlderJournal();
      if (!hasSegments()) {
        throw new OpenRefusal(
            "there is no journal: %s has no segments; restore it from a copy, or start the gateway once, which makes an empty one, and accept that one"
                .formatted(describe()));
      }
      hold(DirectoryLock.takeShared(files.directory()));
      requireKnownVersion(files.firsts().getLast());
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public synchronized void openForReading() throws OpenRefusal, StorageFailure {
    openExisting();
    SegmentSnapshot snapshot = run(() -> SegmentSnapshot.ofClosed(files));
    reading = snapshot;
    show(new Segments(snapshot.parts().stream().map(SegmentSnapshot.Part::segment).toList()));
  }

  /** An older journal, in a database beside the directory, is not read: no release wrote one. */
  private void requireNoOlderJournal() throws IOException, OpenRefusal {
    Path older = files.directory().resolveSibling(files.directory().getFileName() + OLDER);
    if (Files.exists(older) && !(hasSegments() && isWhole())) {
      throw new OpenRefusal(
          "the journal %s is in a format that this version does not read: use the version that wrote it, or another data directory"
              .formatted(older));
    }
  }

  private boolean hasSegments() throws IOException {
    return Files.isDirectory(files.directory()) && !files.firsts().isEmpty();
  }

  /** False when an older version has copied only a part of its journal into the segments. */
  private boolean isWhole() {
    return Files.notExists(files.directory().resolve(COPYING));
  }

  private synchronized void hold(Optional<DirectoryLock> taken) throws OpenRefusal {
    lock =
        taken.orElseThrow(() ->
            new OpenRefusal(
                "the journal %s is in use by another process: stop that one first"
                    .formatted(describe())));
  }

  /** The power was lost while the journal was being created. */
  private boolean isUnfinishedStart(List<Long> firsts) throws IOException {
    return firsts.equals(List.of(1L)) && files.isUnfinished(1);
  }

  private void requireKnownVersion(long first) throws IOException, OpenRefusal {
    Optional<String> newer =
        SegmentHeader.newer("the journal %s".formatted(describe()), files.readHeaderBytes(first));
    if (newer.isPresent()) {
      throw new OpenRefusal(newer.get());
    }
  }

  /** Creates the file of the segment that is written next; it and its name are on the disk then. */
  void create(SegmentHeader header) throws IOException {
    try (SegmentDisk.WrittenFile file = disk.open(files.segment(header.first()))) {
      file.truncate(0);
      file.write(header.encode(), 0);
      if (durability == Durability.POWER) {
        file.force();
        files.forceDirectory();
      }
    }
  }

  @Override
  public synchronized StorageWriter writer() throws StorageFailure {
    DirectoryLock held = lock;
    if (held == null || (!writing && !run(held::tryWriting))) {
      throw new StorageFailure(
          "the journal is written by somebody else in this process",
          new IllegalStateException("a second writer"));
    }
    writing = true;
    return run(() -> {
      if (!loaded) {
        files.removeLeftovers();
      }
      SegmentWriter writer = SegmentWriter.open(this, loaded);
      loaded = true;
      return writer;
    });
  }

  SegmentFiles files() {
    return files;
  }

  SegmentDisk disk() {
    return disk;
  }

  Durability durability() {
    return durability;
  }

  JournalLimits limits() {
    return limits;
  }

  Segments segments() {
    return segments;
  }

  /** Remembers which file is written. */
  void remember(long first) throws IOException {
    OpenedFile opened = new OpenedFile(files.segment(first));
    opened.remember();
    written = opened;
  }

  /** Fails when the file that is written is not in its place any longer. */
  void requireInPlace() throws IOException {
    OpenedFile opened = written;
    if (opened != null) {
      opened.requireInPlace();
    }
  }

  /** Readers see these from now on. */
  void show(Segments newSegments) {
    segments = newSegments;
  }

  /** The newest event that was appended has this position. */
  void appended(long newHead) {
    head = newHead;
  }

  /** Writes the index of a segment that was sealed to its file, some time later. */
  void sealLater(Segment sealed) {
    try {
      sealer.execute(() -> seal(sealed));
    } catch (RejectedExecutionException e) {
      // the journal is closed; the next process makes the index
    }
  }

  private void seal(Segment sealed) {
    try {
      sealed.seal();
      SegmentStamper started = stamper;
      if (started != null) {
        started.onSealed(sealed.first());
      }
    } catch (IOException | RuntimeException e) {
      log.atWarn()
          .addKeyValue("file", sealed.file())
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("the index of a segment of the journal stays in memory, since it is not written");
    }
  }

  SegmentCompressor compressor() {
    return new SegmentCompressor(files, limits.segmentBlockBytesMax());
  }

  @Override
  public synchronized void stampSealed(CheckpointKeys keys) {
    if (stamper == null) {
      SegmentFileWatch started =
          SegmentFileWatch.start(files, keys, this::segments, this::requireInPlace);
      watch = started;
      stamper =
          SegmentStamper.start(
              files,
              keys,
              this::segments,
              started,
              switch (location.compression()) {
                case DEFLATE -> Optional.of(compressor());
                case NONE -> Optional.empty();
              },
              () -> head);
      droppable =
          new DroppableSegments(
              files,
              this::segments,
              new SegmentDrop(files, fetched, started),
              location.compression() == SegmentCompression.DEFLATE,
              stamper::onDropped);
      if (location.retention().isLimited() || location.retention().archive().isPresent()) {
        archiver =
            SegmentArchiver.start(
                location.retention(),
                new SegmentMove(
                    files,
                    fetched,
                    started,
                    keys,
                    location.compression() == SegmentCompression.DEFLATE),
                this::segments);
      }
    }
  }

  @Override
  public long archiveFailures() {
    SegmentArchiver archiving = archiver;
    return archiving == null ? 0 : archiving.failures();
  }

  @Override
  public List<String> damagedFiles() {
    SegmentFileWatch watching = watch;
    return watching == null ? List.of() : watching.damaged();
  }

  @Override
  public List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure {
    return run(() -> segments.read(entrySelection, after, upTo, limit));
  }

  @Override
  public List<byte[]> leaves(long after, long upTo) throws StorageFailure {
    return run(() -> segments.leaves(after, upTo));
  }

  @Override
  public SequencedMap<String, String> nodesAfter(long after, int limit) throws StorageFailure {
    return run(() -> segments.nodesAfter(after, limit));
  }

  @Override
  public Optional<Long> firstAt(String at) throws StorageFailure {
    return run(() -> segments.firstAt(at));
  }

  @Override
  public Optional<StoredCheckpoint> newestCheckpoint() throws StorageFailure {
    return run(() -> segments.newestCheckpoint());
  }

  @Override
  public Optional<StoredCheckpoint> checkpointOver(long size) throws StorageFailure {
    return run(() -> segments.checkpointOver(size));
  }

  @Override
  public RightEdge storedEdge(long size) throws StorageFailure {
    return run(() -> segments.storedEdge(size));
  }

  @Override
  public StorageSnapshot snapshot() throws StorageFailure {
    return run(
        () -> loaded ? SegmentSnapshot.of(files, segments) : SegmentSnapshot.ofClosed(files));
  }

  @Override
  public Runnable followOthers(LongConsumer onAppend) {
    return () -> {}; // no other process appends
  }

  @Override
  public Optional<DroppableEvents> droppable() {
    return Optional.ofNullable(droppable);
  }

  @Override
  public Optional<DroppedThrough> droppedThrough() throws StorageFailure {
    return run(() -> segments.droppedThrough());
  }

  @Override
  public boolean isArchived(long position) {
    return files.isArchived(segments.firstOf(position));
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public long bytes() throws StorageFailure {
    return run(files::bytes);
  }

  @Override
  public String describe() {
    return files.directory().toString();
  }

  @Override
  public synchronized void close() {
    sealer.close();
    SegmentArchiver archiving = archiver;
    if (archiving != null) {
      archiving.close();
    }
    SegmentStamper started = stamper;
    if (started != null) {
      started.close();
    }
    SegmentFileWatch watching = watch;
    if (watching != null) {
      watching.close();
    }
    SegmentSnapshot read = reading;
    if (read != null) {
      read.close();
    }
    handles.close();
    fetched.close();
    if (lock != null) {
      if (writing) {
        lock.endWriting();
      }
      lock.close();
      lock = null;
    }
  }
}
