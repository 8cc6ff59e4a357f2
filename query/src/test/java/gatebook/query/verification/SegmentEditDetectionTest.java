package gatebook.query.verification;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.file.SegmentEditor;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An edit of segments or indexes is found, whether or not they are stamped or compressed. */
@Order(1)
@ParameterizedClass
@EnumSource
final class SegmentEditDetectionTest {
  private static final int ROUNDS = Proof.rounds(6, 2_000);

  /** Every position at full length. */
  private static final int STEP = Proof.rounds(5, 1);

  private static final int EVENTS = 23;
  private static final long SEGMENT_BYTES = 6_000;

  /** How the sealed segments are when they are edited. */
  enum Sealed {
    PLAIN,
    STAMPED,
    STAMPED_AND_COMPRESSED
  }

  private final Sealed sealed;
  @TempDir private Path directory;
  private JournalSettings settings;
  private CheckpointKey key;
  private SegmentEditor editor;
  private int threads = 1;
  private final Map<Path, byte[]> files = new TreeMap<>();

  SegmentEditDetectionTest(Sealed sealed) {
    this.sealed = sealed;
  }

  @BeforeEach
  void write() throws IOException {
    settings =
        Journals.withCompression(
            Journals.withSegments(Journals.inSegments(directory), SEGMENT_BYTES),
            SegmentCompression.NONE);
    editor = new SegmentEditor(directory.resolve("journal"));
    try (Journal journal =
        Journals.opened(
            Journals.withCheckpoints(settings, 5, settings.limits().checkpointMillisMax()))) {
      for (int i = 0; i < EVENTS; i++) {
        Journals.append(
            journal,
            Journals.draft("{\"n\":%d}".formatted(i), new Tag("call", Integer.toString(i / 3))));
      }
    }
    key = ((LoadedKey.Key<CheckpointKey>) CheckpointKey.loadExisting(settings.keyFile())).key();
    if (sealed == Sealed.STAMPED_AND_COMPRESSED) {
      editor.compress();
    }
    for (String ending : List.of("segment", "segment.z", "index")) {
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(directory.resolve("journal"), "*." + ending)) {
        for (Path file : found) {
          files.put(file, Files.readAllBytes(file));
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(5);
    editor.deleteStamps();
    restore();
  }

  private void restore() throws IOException {
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      if (!Files.exists(file.getKey())
          || !Arrays.equals(Files.readAllBytes(file.getKey()), file.getValue())) {
        Files.write(file.getKey(), file.getValue());
        editor.deleteStamp(first(file.getKey()));
      }
    }
    if (isStamped()) {
      editor.stamp(key);
    }
  }

  private boolean isStamped() {
    return sealed != Sealed.PLAIN;
  }

  /** What stamps leave, and everything, in sequence and in parallel, find the same. */
  private VerificationReport verify() {
    VerificationReport unstamped = verify(new VerificationScope(false, 2));
    threads = threads == 1 ? 3 : 1;
    assertThat(unstamped)
        .usingRecursiveComparison()
        .ignoringFields("basis")
        .isEqualTo(verify(new VerificationScope(true, threads)));
    return unstamped;
  }

  private VerificationReport verify(VerificationScope scope) {
    try (JournalSnapshot snapshot = Journals.snapshot(settings)) {
      return new Verification(List.of(key.verifier()), VerificationLimits.DEFAULT)
          .verify(snapshot, List.of(), scope);
    }
  }

  private Stream<VerificationFinding> findings() {
    return verify().found().stream().map(VerificationReport.Found::finding);
  }

  @Test
  void anUneditedJournalIsClean() {
    VerificationReport report = verify();

    assertThat(report.clean()).isTrue();
    assertThat(report.basis().stamps()).isEqualTo(isStamped() ? files.size() / 2 : 0);
  }

  @Test
  void aChangedColumnIsFound() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      long position = 1L + random.nextInt(EVENTS);
      EntryColumn column = any(random, EntryColumn.values());

      editor.edit(entry -> entry.position() == position ? column.changed(entry) : entry);

      assertThat(findings())
          .describedAs("round %d: %s of %d", round, column, position)
          .contains(new VerificationFinding.Altered(position, column == EntryColumn.LEAF));
      restore();
    }
  }

  private static <T> T any(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  @Test
  void aChangedByteOfASegmentIsFound() throws IOException {
    List<Path> segments =
        files.keySet().stream().filter(SegmentEditDetectionTest::isSegment).toList();
    for (int round = 0; round < 2 * ROUNDS; round++) {
      Random random = new Random(31L * sealed.name().hashCode() + round);
      Path segment = segments.get(random.nextInt(segments.size()));
      byte[] bytes = Files.readAllBytes(segment);
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(segment, bytes);

      assertThat(isClean() && !isPadding(segment, at))
          .describedAs("round %d: byte %d of %s", round, at, segment.getFileName())
          .isFalse();
      restore();
    }
  }

  private static boolean isSegment(Path file) {
    return file.toString().contains(".segment");
  }

  /** A journal whose header says that a newer version wrote it is refused, and not verified. */
  private boolean isClean() {
    JournalSnapshot.TakeResult taken = JournalSnapshot.take(settings);
    if (taken instanceof JournalSnapshot.TakeResult.Taken(JournalSnapshot snapshot)) {
      snapshot.close();
      return verify().clean();
    }
    return false;
  }

  @Test
  void aWrongChecksumOfAnUnchangedEventIsFound() throws IOException {
    byte[] bytes = editor.bytes(1);
    int checksumOfSecondRecord = 4096 + ByteBuffer.wrap(bytes).getInt(4096 + 4) + 8;
    bytes[checksumOfSecondRecord] ^= 1;
    editor.write(1, bytes);

    assertThat(findings())
        .containsExactly(
            new VerificationFinding.Damaged(
                1,
                1,
                "byte %d of %s"
                    .formatted(
                        checksumOfSecondRecord - 8,
                        sealed == Sealed.STAMPED_AND_COMPRESSED
                            ? "0000000000000000001.segment.z as it was before"
                            : "0000000000000000001.segment")));
  }

  /** The rest of a header holds nothing. */
  private boolean isPadding(Path segment, int at) {
    return at < 4096 && Objects.requireNonNull(files.get(segment))[at] == 0;
  }

  @Test
  void aDeletedEventIsFound() throws IOException {
    for (long position = EVENTS; position > 0; position -= STEP) {
      editor.deleteEvents(position);

      assertThat(findings())
          .describedAs("position %d", position)
          .contains(
              position < EVENTS
                  ? new VerificationFinding.Missing(position, position)
                  : new VerificationFinding.Truncated(EVENTS - 1, EVENTS, "the right edge"));
      restore();
    }
  }

  @Test
  void aTruncatedTailIsFound() throws IOException {
    for (int left = 0; left < EVENTS; left += STEP) {
      editor.truncate(left);

      assertThat(findings())
          .describedAs("the first %d left", left)
          .contains(new VerificationFinding.Truncated(left, EVENTS, "the checkpoint file"));
      restore();
    }
  }

  @Test
  void theEventsInADamagedBlockAreNamed() throws IOException {
    editor.compress();
    List<Path> compressed;
    try (Stream<Path> found = Files.list(directory.resolve("journal"))) {
      compressed = found.filter(it -> it.toString().endsWith(".segment.z")).sorted().toList();
    }
    Path second = compressed.get(1);
    byte[] bytes = Files.readAllBytes(second);
    bytes[bytes.length - 1] ^= 1;
    Files.write(second, bytes);
    long from = first(second);
    long to = first(compressed.get(2)) - 1;

    assertThat(findings().toList())
        .startsWith(
            new VerificationFinding.Damaged(
                from, to, "the table of blocks at the end of " + second.getFileName()),
            new VerificationFinding.Missing(from, to));
  }

  @Test
  void aDamagedLastRecordIsToldBeforeWhatIsLost() throws IOException {
    Path last =
        files.keySet().stream()
            .filter(SegmentEditDetectionTest::isSegment)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    byte[] bytes = Files.readAllBytes(last);
    Files.write(last, Arrays.copyOf(bytes, bytes.length - 1));

    List<VerificationFinding> found = findings().toList();

    assertThat(found.getFirst())
        .isInstanceOfSatisfying(
            VerificationFinding.Damaged.class,
            damaged -> assertThat(damaged.where()).matches("byte \\d+ of " + last.getFileName()));
    assertThat(found).hasAtLeastOneElementOfType(VerificationFinding.CheckpointMissing.class);
  }

  /** The journal's own process reads what is at the path, and goes on behind what is damaged. */
  @Test
  void oneDamagedFileIsToldFirstAndEndsNoVerification() throws IOException {
    List<Path> segments =
        files.keySet().stream().filter(SegmentEditDetectionTest::isSegment).sorted().toList();
    Path second = segments.get(1);
    long from = first(second);
    long to = first(segments.get(2)) - 1;
    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.find(null, 0, EVENTS, EVENTS)).hasSize(EVENTS);
      for (UnaryOperator<byte[]> edit : EDITS_OF_A_FILE) {
        byte[] edited = edit.apply(Objects.requireNonNull(files.get(second)));
        Files.deleteIfExists(second);
        if (edited.length > 0) {
          Files.write(second, edited);
        }

        for (boolean all : List.of(false, true)) {
          List<VerificationFinding> found =
              verify(journal, all).found().stream().map(VerificationReport.Found::finding).toList();
          assertThat(found.getFirst().message())
              .contains("%019d.segment".formatted(from), "%d to %d".formatted(from, to));
          assertThat(found).contains(new VerificationFinding.Missing(from, to));
        }
      }
      restore();
      assertThat(verify(journal, true).clean()).isTrue();
    }
  }

  /** Harmless is what leaves every event as it was: indexes and stamps are made again. */
  @Test
  void anEditOfAnyFileIsFoundOrHarmless() throws IOException {
    List<Path> all = filesOfTheJournal();
    Map<Path, byte[]> before = new TreeMap<>();
    for (Path file : all) {
      before.put(file, Files.readAllBytes(file));
    }
    List<byte[]> leaves;
    try (Journal journal = Journals.opened(settings)) {
      leaves = journal.leaves(0, EVENTS);
    }
    for (int round = 0; round < 2 * ROUNDS; round++) {
      restore(before);
      Random random = new Random(round);
      String edit = edited(all, random);

      if (isClean()) {
        try (JournalSnapshot snapshot = Journals.snapshot(settings);
            RowCursor<Entry> events = snapshot.events()) {
          LeafHasher hasher = new LeafHasher();
          for (byte[] leaf : leaves) {
            assertThat(hasher.leaf(Objects.requireNonNull(events.next())))
                .as("round %d: %s", round, edit)
                .isEqualTo(leaf);
          }
        }
      }
    }
  }

  private List<Path> filesOfTheJournal() throws IOException {
    try (Stream<Path> found = Files.list(directory.resolve("journal"))) {
      return Stream.concat(
              found.filter(it -> !it.endsWith("lock")), Stream.of(settings.checkpointFile()))
          .sorted()
          .toList();
    }
  }

  private static void restore(Map<Path, byte[]> before) throws IOException {
    for (Map.Entry<Path, byte[]> file : before.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  private static String edited(List<Path> all, Random random) throws IOException {
    Path file = all.get(random.nextInt(all.size()));
    Path other = all.get(random.nextInt(all.size()));
    byte[] bytes = Files.readAllBytes(file);
    int at = random.nextInt(bytes.length);
    int kind = random.nextInt(6);
    switch (kind) {
      case 0 -> Files.delete(file);
      case 1 -> Files.write(file, Arrays.copyOf(bytes, at));
      case 2 -> Files.write(file, Arrays.copyOf(bytes, bytes.length + 1 + at));
      case 3 -> Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
      case 4 -> {
        byte[] swapped = Files.readAllBytes(other);
        Files.write(other, bytes);
        Files.write(file, swapped);
      }
      default -> {
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
      }
    }
    return "edit %d of %s at %d with %s"
        .formatted(kind, file.getFileName(), at, other.getFileName());
  }

  private static final List<UnaryOperator<byte[]>> EDITS_OF_A_FILE =
      List.of(
          _ -> new byte[0],
          bytes -> Arrays.copyOf(bytes, 1),
          bytes -> Arrays.copyOf(bytes, 4_096),
          bytes -> new byte[bytes.length]);

  private VerificationReport verify(Journal journal, boolean all) {
    try (JournalSnapshot snapshot = journal.snapshot()) {
      return new Verification(List.of(key.verifier()), VerificationLimits.DEFAULT)
          .verify(snapshot, List.of(), new VerificationScope(all, 2));
    }
  }

  private static long first(Path segment) {
    return Long.parseLong(String.valueOf(segment.getFileName()).substring(0, 19));
  }

  @Test
  void aMissingSegmentIsFound() throws IOException {
    for (Path file : files.keySet()) {
      if (isSegment(file)) {
        Files.delete(file);

        assertThat(verify().clean()).describedAs(file.toString()).isFalse();
        restore();
      }
    }
  }

  @Test
  void anotherCheckpointIsFound() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      long number = 1L + random.nextInt(5);
      int part = random.nextInt(4);

      editor.editCheckpoints(it -> it.number() == number ? changed(it, part) : it);

      assertThat(verify().clean()).describedAs("round " + round).isFalse();
      restore();
    }
  }

  private static StoredCheckpoint changed(StoredCheckpoint it, int part) {
    return switch (part) {
      case 0 -> new StoredCheckpoint(it.number() + 9, it.size(), it.note(), it.hashes());
      case 1 -> new StoredCheckpoint(it.number(), it.size() + 1, it.note(), it.hashes());
      case 2 -> new StoredCheckpoint(it.number(), it.size(), "x" + it.note(), it.hashes());
      default -> new StoredCheckpoint(it.number(), it.size(), it.note(), new byte[31]);
    };
  }

  @Test
  void anIndexWithOtherTagsIsFound() throws IOException {
    editor.misindex(entry -> entry.position() == 2 ? tagged(entry, "call:999") : entry);

    assertThat(findings())
        .contains(
            new VerificationFinding.IndexMismatch(2, "call:0", false),
            new VerificationFinding.IndexMismatch(2, "call:999", true));
  }

  private static Entry tagged(Entry entry, String tags) {
    return new Entry(
        entry.position(),
        entry.id(),
        entry.name(),
        entry.version(),
        entry.at(),
        entry.node(),
        tags,
        entry.payload(),
        entry.metadata(),
        entry.leaf());
  }
}
