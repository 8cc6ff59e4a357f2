package gatebook.query.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.MismatchAccepted;
import gatebook.events.call.Bytes;
import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.vocabulary.EventVocabulary;
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

/** A journal in lists: written as the journal writes, and open to every edit. */
final class Book implements JournalRows {
  static final CheckpointKey KEY =
      key("PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz");

  /** The key that Go's documentation makes of 32 zeros. */
  static final CheckpointKey FOREIGN_KEY =
      key("PRIVATE+KEY+EnochRoot+af0cfe78+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");

  static final VerifierKey TRUSTED = KEY.verifier();

  /** Equal checkpoints have equal notes, and a note takes longer than anything else here. */
  private static final Map<Checkpoint, byte[]> NOTES = new ConcurrentHashMap<>();

  final List<Entry> events = new ArrayList<>();
  final List<JournalSnapshot.IndexedTag> index = new ArrayList<>();
  final List<StoredCheckpoint> checkpoints = new ArrayList<>();
  Optional<JournalSnapshot.StoredEdge> edge = Optional.empty();
  Optional<byte[]> file = Optional.empty();

  private final LeafHasher hasher = new LeafHasher();
  private RightEdge tree = new RightEdge();

  Book() {
    checkpoint();
  }

  /** So many events, with checkpoints in between at random and perhaps at the end. */
  static Book random(Random random, int size) {
    Book book = new Book();
    for (int i = 0; i < size; i++) {
      book.append(random);
      if (random.nextInt(7) == 0) {
        book.checkpoint();
      }
    }
    return book;
  }

  static Book of(int size, int... checkpointsAt) {
    Book book = new Book();
    List<Integer> sizes = Arrays.stream(checkpointsAt).boxed().toList();
    for (int i = 1; i <= size; i++) {
      book.append(new Random(i));
      if (sizes.contains(i)) {
        book.checkpoint();
      }
    }
    return book;
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
        sealed(
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
    index.addAll(indexed(entry));
    tree.append(entry.leaf());
    edge = Optional.of(new JournalSnapshot.StoredEdge(tree.size(), tree.bytes()));
  }

  /** Goes on from here, as the journal does after its mismatch was accepted. */
  void accept(VerificationReport.Standing standing, String reason) {
    tree = RightEdge.restored(standing.size(), standing.edge()).orElseThrow();
    append(
        AcceptedMismatch.EVENT_NAME,
        "",
        new String(
            new EventVocabulary()
                .write(
                    new MismatchAccepted(
                        "alice", reason, "", standing.size(), new Bytes(standing.root()))),
            UTF_8));
  }

  void checkpoint() {
    byte[] note = note(tree, KEY);
    checkpoints.add(stored(checkpoints.size() + 1, tree, note));
    file = Optional.of(note);
  }

  static StoredCheckpoint stored(long number, RightEdge tree, byte[] note) {
    return new StoredCheckpoint(number, tree.size(), new String(note, UTF_8), tree.bytes());
  }

  static byte[] note(RightEdge tree, CheckpointKey key) {
    return NOTES.computeIfAbsent(
        new Checkpoint(key.verifier().name(), tree.size(), tree.root()), it -> it.signedBy(key));
  }

  long size() {
    return events.size();
  }

  /** What the newest checkpoint was signed over. */
  long covered() {
    return checkpoints.getLast().size();
  }

  Entry at(long position) {
    return events.get((int) position - 1);
  }

  void edit(long position, UnaryOperator<Entry> edit) {
    events.set((int) position - 1, edit.apply(at(position)));
  }

  Entry sealed(Entry entry) {
    return Columns.LEAF.set(entry, hasher.leaf(entry));
  }

  /** All an editor without the key can mend: leaves, edge and index follow the rows. */
  void mendAllButCheckpoints() {
    events.replaceAll(this::sealed);
    index.clear();
    events.forEach(entry -> index.addAll(indexed(entry)));
    RightEdge mended = tree();
    edge = Optional.of(new JournalSnapshot.StoredEdge(mended.size(), mended.bytes()));
  }

  RightEdge tree() {
    return tree(events.size());
  }

  RightEdge tree(long size) {
    RightEdge of = new RightEdge();
    events.stream().limit(size).map(hasher::leaf).forEach(of::append);
    return of;
  }

  /** What the owner of the key can do: sign everything again. */
  void signAgain() {
    checkpoints.replaceAll(noted -> {
      RightEdge now = tree(noted.size());
      return stored(noted.number(), now, note(now, KEY));
    });
    file = Optional.of(checkpoints.getLast().note().getBytes(UTF_8));
  }

  VerificationReport verify(ExternalCheckpoint... against) {
    return verify(VerificationLimits.DEFAULT, against);
  }

  VerificationReport verify(VerificationLimits verificationLimits, ExternalCheckpoint... against) {
    return new Verification(List.of(TRUSTED), verificationLimits).verify(this, List.of(against));
  }

  private static List<JournalSnapshot.IndexedTag> indexed(Entry entry) {
    return Stream.of(entry.tags().split("\n", -1))
        .filter(tag -> !tag.isEmpty())
        .map(tag -> new JournalSnapshot.IndexedTag(tag, entry.position(), entry.position()))
        .toList();
  }

  @Override
  public RowCursor<Entry> events() {
    return cursor(events.stream().sorted(Comparator.comparingLong(Entry::position)));
  }

  @Override
  public RowCursor<Entry> eventsNamed(String name) {
    return cursor(
        events.stream()
            .filter(entry -> entry.name().equals(name))
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
  public Optional<JournalSnapshot.StoredEdge> edge() {
    return edge;
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return cursor(checkpoints.stream().sorted(Comparator.comparingLong(StoredCheckpoint::number)));
  }

  @Override
  public Optional<byte[]> checkpointFile() {
    return file;
  }

  @Override
  public boolean keepsCheckpointFile() {
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
