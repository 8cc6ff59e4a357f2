package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.CheckpointKeyRotated;
import gatebook.events.MismatchAccepted;
import gatebook.events.OriginBegun;
import gatebook.events.call.Bytes;
import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RefusedStamp;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.keys.MemoryContentKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An in-memory journal, written like a real one, whose rows tests can edit. */
final class InMemoryJournal implements JournalRows {
  static final CheckpointKey KEY =
      key("PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz");

  /** The key that Go's documentation derives from 32 zeros. */
  static final CheckpointKey FOREIGN_KEY =
      key("PRIVATE+KEY+EnochRoot+af0cfe78+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");

  static final VerifierKey TRUSTED = KEY.verifier();

  /**
   * Caches notes by checkpoint: equal checkpoints have equal notes, and signing is the slowest step
   * here.
   */
  private static final Map<List<Object>, byte[]> NOTES = new ConcurrentHashMap<>();

  final List<Entry> events = new ArrayList<>();
  final List<JournalSnapshot.IndexedTag> index = new ArrayList<>();
  final List<StoredCheckpoint> checkpoints = new ArrayList<>();
  Optional<JournalSnapshot.StoredEdge> edge = Optional.empty();
  Optional<byte[]> file = Optional.empty();
  long acknowledged;

  private final LeafHasher hasher = new LeafHasher();
  private RightEdge tree = new RightEdge();
  String origin = TRUSTED.name();
  private CheckpointKey key = KEY;

  InMemoryJournal() {
    checkpoint();
  }

  /** A journal of random events, with checkpoints at random positions and perhaps at the end. */
  static InMemoryJournal random(Random random, int size) {
    InMemoryJournal inMemoryJournal = new InMemoryJournal();
    for (int i = 0; i < size; i++) {
      inMemoryJournal.append(random);
      if (random.nextInt(7) == 0) {
        inMemoryJournal.checkpoint();
      }
    }
    return inMemoryJournal;
  }

  static InMemoryJournal of(int size, int... checkpointsAt) {
    InMemoryJournal inMemoryJournal = new InMemoryJournal();
    List<Integer> sizes = Arrays.stream(checkpointsAt).boxed().toList();
    for (int i = 1; i <= size; i++) {
      inMemoryJournal.append(new Random(i));
      if (sizes.contains(i)) {
        inMemoryJournal.checkpoint();
      }
    }
    return inMemoryJournal;
  }

  void append(Random random) {
    String call = "call:" + random.nextInt(5);
    String tags = List.of("", call, "approval:1\n" + call).get(random.nextInt(3));
    append("gatebook.E" + random.nextInt(4), tags, "{\"n\":" + random.nextLong() + "}");
  }

  void append(String name, String tags, String payload) {
    long position = tree.size() + 1;
    String at = "2026-01-02T03:04:05.%09dZ".formatted(position);
    Entry entry =
        withLeaf(
            new Entry(
                position,
                "id-" + position + "x",
                name,
                "1",
                at,
                "node-1",
                tags,
                payload.getBytes(UTF_8),
                "{}".getBytes(UTF_8),
                new byte[0]));
    events.add(entry);
    index.addAll(indexedTags(entry));
    tree.append(entry.leaf());
    edge = Optional.of(new JournalSnapshot.StoredEdge(tree.size(), tree.bytes()));
  }

  /** Continues the journal from this tree, as the product does after a mismatch was accepted. */
  void accept(VerificationReport.CurrentTree currentTree, String reason) {
    tree = RightEdge.restored(currentTree.size(), currentTree.edge()).orElseThrow();
    append(
        AcceptedMismatch.EVENT_NAME,
        "",
        new String(
            MemoryContentKeys.vocabulary()
                .write(
                    new MismatchAccepted(
                        "alice",
                        reason,
                        "",
                        currentTree.size(),
                        new Bytes(currentTree.root()),
                        null)),
            UTF_8));
  }

  /** The log goes on under another origin. */
  void beginOrigin(String newOrigin) {
    String oldOrigin = origin;
    append(
        TrustEvents.ORIGIN_BEGUN,
        "",
        new String(
            MemoryContentKeys.vocabulary()
                .write(
                    new OriginBegun(
                        "alice",
                        "restored",
                        oldOrigin,
                        newOrigin,
                        tree.size(),
                        new Bytes(base64(tree.root())),
                        null)),
            UTF_8));
    origin = newOrigin;
  }

  /** Records that another key signs from now on; nothing is signed. */
  void recordRotation(CheckpointKey next) {
    append(
        TrustEvents.CHECKPOINT_KEY_ROTATED,
        "key:checkpoint",
        new String(
            MemoryContentKeys.vocabulary()
                .write(
                    new CheckpointKeyRotated(
                        "alice", key.verifier().text(), next.verifier().text())),
            UTF_8));
  }

  /** Rotates the key as the product does. */
  void rotate(CheckpointKey next) {
    recordRotation(next);
    store(
        new Checkpoint(origin, tree.size(), tree.root())
            .signedBy(key.named(origin), next.named(origin)));
    key = next;
  }

  void store(byte[] note) {
    checkpoints.add(stored(checkpoints.size() + 1, tree, note));
    file = Optional.of(note);
  }

  void checkpoint() {
    byte[] note = note(tree, key.named(origin));
    checkpoints.add(stored(checkpoints.size() + 1, tree, note));
    file = Optional.of(note);
  }

  static StoredCheckpoint stored(long number, RightEdge tree, byte[] note) {
    return new StoredCheckpoint(number, tree.size(), new String(note, UTF_8), tree.bytes());
  }

  static byte[] note(RightEdge tree, CheckpointKey key) {
    Checkpoint checkpoint = new Checkpoint(key.verifier().name(), tree.size(), tree.root());
    return NOTES.computeIfAbsent(
        List.of(key.verifier(), checkpoint), _ -> checkpoint.signedBy(key));
  }

  long size() {
    return events.size();
  }

  /** The tree size that the newest checkpoint signed. */
  long signedSize() {
    return checkpoints.getLast().size();
  }

  Entry at(long position) {
    return events.get((int) position - 1);
  }

  void replace(long position, UnaryOperator<Entry> edit) {
    events.set((int) position - 1, edit.apply(at(position)));
  }

  Entry withLeaf(Entry entry) {
    return EntryColumn.LEAF.set(entry, hasher.leaf(entry));
  }

  /** Recomputes leaves, edge and index from the rows, which an editor without the key can do. */
  void recomputeAllButCheckpoints() {
    events.replaceAll(this::withLeaf);
    index.clear();
    events.forEach(entry -> index.addAll(indexedTags(entry)));
    RightEdge recomputed = tree();
    edge = Optional.of(new JournalSnapshot.StoredEdge(recomputed.size(), recomputed.bytes()));
  }

  RightEdge tree() {
    return tree(events.size());
  }

  RightEdge tree(long size) {
    RightEdge result = new RightEdge();
    events.stream().limit(size).map(hasher::leaf).forEach(result::append);
    return result;
  }

  /** Signs all checkpoints again, which the owner of the key can do. */
  void resign() {
    checkpoints.replaceAll(row -> {
      RightEdge now = tree(row.size());
      return stored(row.number(), now, note(now, KEY));
    });
    file = Optional.of(checkpoints.getLast().note().getBytes(UTF_8));
  }

  VerificationReport verify(ExternalCheckpoint... against) {
    return verify(VerificationLimits.DEFAULT, against);
  }

  VerificationReport verify(VerifierKey key, ExternalCheckpoint... against) {
    return new Verification(List.of(key), VerificationLimits.DEFAULT)
        .verify(this, List.of(against), new VerificationScope(true, 1));
  }

  VerificationReport verify(VerificationLimits verificationLimits, ExternalCheckpoint... against) {
    return new Verification(List.of(TRUSTED), verificationLimits)
        .verify(this, List.of(against), new VerificationScope(true, 1));
  }

  private static List<JournalSnapshot.IndexedTag> indexedTags(Entry entry) {
    return Stream.of(entry.tags().split("\n", -1))
        .filter(tag -> !tag.isEmpty())
        .map(tag -> new JournalSnapshot.IndexedTag(tag, entry.position(), entry.position()))
        .toList();
  }

  @Override
  public SnapshotReading read(SnapshotReading.Order order) {
    return new Rows();
  }

  /** All rows as one part. */
  private final class Rows implements SnapshotReading, SnapshotPart {
    @Override
    public List<SnapshotPart> parts() {
      return List.of(this);
    }

    @Override
    public RowCursor<Entry> events(long after) {
      return cursor(events.stream().sorted(Comparator.comparingLong(Entry::position)));
    }

    @Override
    public RowCursor<Entry> trustEvents() {
      return cursor(
          events.stream()
              .filter(entry -> TrustEvents.NAMES.contains(entry.name()))
              .sorted(Comparator.comparingLong(Entry::position)));
    }

    @Override
    public RowCursor<JournalSnapshot.Id> ids() {
      return cursor(
          events.stream()
              .map(entry -> new JournalSnapshot.Id(entry.id(), entry.position()))
              .sorted(
                  Comparator.comparing(JournalSnapshot.Id::id)
                      .thenComparingLong(JournalSnapshot.Id::position)));
    }

    @Override
    public RowCursor<JournalSnapshot.IndexedTag> tagIndex() {
      return cursor(
          index.stream().sorted(Comparator.comparingLong(JournalSnapshot.IndexedTag::first)));
    }

    @Override
    public RowCursor<StoredCheckpoint> checkpoints() {
      return cursor(
          checkpoints.stream().sorted(Comparator.comparingLong(StoredCheckpoint::number)));
    }

    @Override
    public List<RefusedStamp> refusedStamps() {
      return List.of();
    }
  }

  @Override
  public Optional<JournalSnapshot.StoredEdge> edge() {
    return edge;
  }

  @Override
  public Optional<byte[]> checkpointFile() {
    return file;
  }

  @Override
  public long acknowledged() {
    return acknowledged;
  }

  @Override
  public boolean requiresCheckpointFile() {
    return true;
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static <T> RowCursor<T> cursor(Stream<T> stream) {
    Iterator<T> all = stream.iterator();
    return new RowCursor<>() {
      @Override
      public @Nullable T next() {
        return all.hasNext() ? all.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  private static CheckpointKey key(String text) {
    return ((LoadedKey.Key<CheckpointKey>) CheckpointKey.parse(text)).key();
  }
}
