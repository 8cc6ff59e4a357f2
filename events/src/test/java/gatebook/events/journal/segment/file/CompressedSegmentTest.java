package gatebook.events.journal.segment.file;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.events.Proof;
import gatebook.events.journal.DeniedCall;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.segment.stamp.SegmentCompressor;
import gatebook.events.journal.segment.stamp.SegmentFileWatch;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.segment.stamp.StampFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotPart;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compressed segments are read like plain ones, and each step on the way to them can be the last.
 */
final class CompressedSegmentTest {
  private static final int APPENDS = 32;
  private static final int BLOCK_BYTES = 1_024;

  @TempDir Path directory;
  private JournalSettings plain;
  private JournalSettings compressing;
  private Path segments;
  private SegmentEditor editor;

  @BeforeEach
  void name() {
    compressing = settings(directory);
    segments = directory.resolve("journal");
    plain = Journals.withCompression(compressing, SegmentCompression.NONE);
    editor = new SegmentEditor(segments);
  }

  private static JournalSettings settings(Path directory) {
    return Journals.withCheckpoints(
        Journals.withSegments(Journals.inSegments(directory), 9_000), 20, 600_000);
  }

  /** Appends events of all lengths, some of them in one batch. */
  private static void fill(Journal journal, Random random) {
    for (int i = 0; i < APPENDS; i++) {
      List<DraftEvent> drafts = new ArrayList<>();
      for (int event = 0; event <= random.nextInt(4); event++) {
        String payload = "{\"n\":%d}".formatted(i).repeat(random.nextInt(200));
        drafts.add(
            draft(
                payload,
                new Tag("call", "" + random.nextInt(20)),
                new Tag("task", "" + random.nextInt(3))));
      }
      append(journal, drafts.toArray(DraftEvent[]::new));
    }
  }

  private void write() {
    try (Journal journal = Journals.opened(plain)) {
      fill(journal, new Random(5));
    }
  }

  private CheckpointKey key() {
    return ((LoadedKey.Key<CheckpointKey>) CheckpointKey.loadExisting(compressing.keyFile())).key();
  }

  private long count(String ending) {
    try (Stream<Path> files = Files.list(segments)) {
      return files.filter(it -> it.toString().endsWith(ending)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that can be read of a journal. */
  private static List<Object> readings(Journal journal) {
    List<Object> readings = new ArrayList<>();
    long head = journal.head();
    for (long after = 0; after < head; after += 7) {
      readings.add(texts(journal.read(after, 11)));
      readings.add(journal.leaves(after, head).stream().map(HexFormat.of()::formatHex).toList());
      readings.add(journal.nodesAfter(after, 5));
    }
    for (int tag = 0; tag < 21; tag++) {
      Tag call = new Tag("call", "" + tag);
      readings.add(texts(journal.find(EventCriteria.havingTags(call), tag, head, 100)));
    }
    for (Entry entry : journal.find(null, 0, head, 1_000)) {
      readings.add(journal.positionBefore(Instant.parse(entry.at())));
    }
    readings.add(journal.newestCheckpoint().map(StoredCheckpoint::note));
    return readings;
  }

  private static List<String> texts(List<Entry> entries) {
    return entries.stream().map(CompressedSegmentTest::text).toList();
  }

  private static String text(Entry entry) {
    return String.join(
        " ",
        Long.toString(entry.position()),
        entry.id(),
        entry.name(),
        entry.at(),
        entry.tags(),
        new String(entry.payload(), UTF_8),
        HexFormat.of().formatHex(entry.leaf()));
  }

  private static List<Object> contents(JournalSettings settings) {
    try (JournalSnapshot snapshot = Journals.snapshot(settings);
        RowCursor<Entry> events = snapshot.events();
        RowCursor<IndexedTag> tags = snapshot.tagIndex();
        RowCursor<StoredCheckpoint> checkpoints = snapshot.checkpoints()) {
      List<Object> contents = new ArrayList<>();
      for (Entry it = events.next(); it != null; it = events.next()) {
        contents.add(text(it));
      }
      for (IndexedTag it = tags.next(); it != null; it = tags.next()) {
        contents.add(it);
      }
      for (StoredCheckpoint it = checkpoints.next(); it != null; it = checkpoints.next()) {
        contents.add(it.note());
      }
      contents.add(snapshot.edge().map(it -> List.of(it.size(), it.hashes().length)));
      return contents;
    }
  }

  @Test
  void everyReadIsThatOfPlainSegments() {
    write();
    List<Object> contents = contents(plain);
    List<Object> readings;
    try (Journal journal = Journals.opened(plain)) {
      readings = readings(journal);
    }

    editor.compress();

    assertThat(count(".segment")).isEqualTo(1);
    assertThat(count(".segment.z")).isGreaterThan(5);
    assertThat(contents(plain)).isEqualTo(contents);
    try (Journal journal = Journals.opened(plain)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(readings(journal)).isEqualTo(readings);
    }
  }

  @Test
  void indexesAreMadeAgainFromCompressedSegments() throws IOException {
    write();
    List<Object> contents = contents(plain);
    editor.compress();
    for (Path index : files(".index")) {
      Files.delete(index);
    }

    try (Journal journal = Journals.opened(plain)) {
      assertThat(readings(journal)).isNotEmpty();
    }

    assertThat(contents(plain)).isEqualTo(contents);
    assertThat(count(".index")).isEqualTo(count(".segment.z"));
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.list(segments)) {
      return files.filter(it -> it.toString().endsWith(ending)).sorted().toList();
    }
  }

  @Test
  void aJournalCompressesItsStampedSegmentsWhileItIsRead() throws Exception {
    write();
    try (Journal journal = Journals.opened(compressing)) {
      List<Object> readings = readings(journal);
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> {
            assertThat(readings(journal)).isEqualTo(readings);
            return count(".segment") == 1;
          });
    }
    assertThat(count(".z.stamp")).isEqualTo(count(".segment.z")).isGreaterThan(5);
    assertThat(count(".stamp")).isEqualTo(count(".z.stamp"));
    for (long first : files().firsts()) {
      if (files().isCompressed(first)) {
        assertThat(StampFile.of(files(), first).open(List.of(key().verifier())))
            .get()
            .isInstanceOf(Opening.Trusted.class);
      }
    }
  }

  @Test
  void stampingDoesNotWaitForCompressing() throws Exception {
    write();

    try (Journal journal = Journals.opened(compressing)) {
      await().until(() -> count(".segment") == 1);
      long first = files().firsts().getLast();
      Path draft = SegmentFiles.draft(files().compressedSegment(first));
      assertThat(new ProcessBuilder("mkfifo", draft.toString()).start().waitFor()).isZero();
      try {
        appendSegments(journal, 2);
        Path stamp = files().stampOf(files().segment(first), first);
        await().until(() -> Files.exists(stamp)); // it is the first one to be compressed
        appendSegments(journal, 4);
        await()
            .until(() ->
                count(".segment") > 4
                    && count(".stamp") - count(".z.stamp") == count(".segment") - 1);
      } finally {
        await().until(() -> isGivenUp(draft));
      }
      await().until(() -> count(".segment") == 2 && count(".z.stamp") == count(".segment.z"));
    }
  }

  private static void appendSegments(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      append(journal, draft("{}".repeat(5_000)));
    }
  }

  /**
   * Whether compressing has given up. It waits for a reader of what it writes, perhaps not yet, and
   * fails when there was one.
   */
  private static boolean isGivenUp(Path draft) throws IOException {
    try {
      FileChannel.open(draft, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
      return false;
    } catch (NoSuchFileException _) {
      return true;
    }
  }

  private SegmentFiles files() {
    return new SegmentFiles(segments, new ReadHandles(), new FilterMemory());
  }

  @Test
  void aSnapshotStaysAsItWasWhileSegmentsAreCompressed() {
    write();
    List<Object> contents = contents(plain);
    try (JournalSnapshot snapshot = Journals.snapshot(plain);
        RowCursor<Entry> events = snapshot.events()) {
      assertThat(text(Objects.requireNonNull(events.next()))).isEqualTo(contents.get(0));
      editor.compress();
      int read = 1;
      for (Entry it = events.next(); it != null; it = events.next()) {
        assertThat(text(it)).isEqualTo(contents.get(read++));
      }
      assertThat((Object) (long) read).isEqualTo(snapshot.edge().orElseThrow().size());
    }
  }

  @Test
  void segmentsStayPlainWhenCompressionIsOff() throws IOException {
    write();
    editor.stamp(key());

    try (Journal journal = Journals.opened(plain)) {
      append(journal, draft("{}".repeat(5_000)));
      append(journal, draft("{}"));
      await().until(() -> count(".stamp") == count(".segment") - 1);
    }

    assertThat(count(".segment.z")).isEqualTo(0);
  }

  @Test
  void everyStepLeavesAJournalThatCanBeRead() throws IOException {
    write();
    editor.stamp(key());
    List<Object> contents = contents(plain);
    SegmentFiles files = files();
    SegmentCompressor compressor = new SegmentCompressor(files, BLOCK_BYTES);
    long first = files.firsts().get(1);
    StampFile stampFile = StampFile.of(files, first);
    SegmentStamp stamp =
        ((Opening.Trusted) stampFile.open(List.of(key().verifier())).orElseThrow()).stamp();
    Path z = files.compressedSegment(first);

    SegmentCompressor.Digests digests =
        compressor.writeDraft(first, new BackgroundPace()).orElseThrow();
    Files.write(SegmentFiles.draft(files.index(first)), new byte[10]);
    expectReadAfterKill("draft", contents);
    compressor.putInPlace(first);
    expectReadAfterKill("compressed file", contents);
    byte[] whole = Files.readAllBytes(z);
    Files.write(z, Arrays.copyOf(whole, whole.length / 2));
    expectReadAfterKill("part of the compressed file", contents);
    Files.write(z, whole);
    new StampFile(files, first, z)
        .write(compressor.stampOfCompressed(stamp, digests, new BackgroundPace()).signedBy(key()));
    expectReadAfterKill("stamp of the compressed file", contents);
    Files.delete(files.segment(first));
    expectReadAfterKill("no plain file any longer", contents);
    Files.delete(stampFile.file());
    expectReadAfterKill("no stamp of it either", contents);
  }

  /** Another file is at the path than the one that is open: it is what counts. */
  @Test
  void aReplacedSegmentIsNeitherStampedNorCompressedAway() throws IOException {
    write();
    editor.stamp(key());
    SegmentFiles held = files();
    long first = held.firsts().get(1);
    Path plainFile = held.segment(first);
    SegmentStamp stamp =
        ((Opening.Trusted) StampFile.of(held, first).open(List.of(key().verifier())).orElseThrow())
            .stamp();
    byte[] forged = editor.bytes(first);
    held.readFully(first, 0, new byte[1], 0, 1); // the handle stays open
    forged[forged.length / 2] ^= 1;
    Files.delete(plainFile);
    Files.write(plainFile, forged);
    SegmentCompressor compressor = new SegmentCompressor(held, BLOCK_BYTES);

    assertThat(
            SegmentStamper.stamp(
                held, first, CheckpointKeys.of(key()), Optional.empty(), new BackgroundPace()))
        .isEmpty();
    SegmentCompressor.Digests digests =
        compressor.writeDraft(first, new BackgroundPace()).orElseThrow();
    assertThatThrownBy(() -> compressor.requireStamped(stamp, digests))
        .hasMessage(
            "%s was changed after it was stamped: verify the journal"
                .formatted(plainFile.getFileName()));
    assertThat(plainFile).hasBinaryContent(forged);
    assertThat(SegmentFiles.draft(held.compressedSegment(first))).doesNotExist();
  }

  @Test
  void filesThatChangeWhileTheyAreOpenAreNoticed() throws IOException {
    write();
    editor.stamp(key());
    SegmentFiles held = files();
    List<Segment> all = new ArrayList<>();
    held.firsts().forEach(it -> all.add(Segment.readOnly(held, it)));
    SegmentHeader header = held.readableHeader(all.removeLast().first());
    MemoryIndex index = new MemoryIndex(header.first());
    SegmentScan scan = held.scan(header, held.size(header.first()));
    for (BatchRecord it = scan.next(); it != null; it = scan.next()) {
      index.add(it);
    }
    all.add(Segment.active(held, header, index));
    Path second = held.segment(held.firsts().get(1));
    Path last = held.segment(held.firsts().getLast());
    byte[] written = Files.readAllBytes(second);
    byte[] end = Files.readAllBytes(last);
    try (SegmentFileWatch watch =
        SegmentFileWatch.start(held, CheckpointKeys.of(key()), () -> new Segments(all), () -> {})) {
      watch.check();
      assertThat(watch.damaged()).isEmpty();

      Files.delete(second);
      Files.write(last, Arrays.copyOf(end, end.length - 1));
      watch.check();
      assertThat(watch.damaged())
          .containsExactly(
              second.getFileName() + " was removed while it was open",
              last.getFileName() + " was shortened while it was open");

      Files.write(second, Arrays.copyOf(written, written.length - 1));
      Files.write(last, end);
      watch.check();
      assertThat(watch.damaged())
          .containsExactly(second.getFileName() + " was replaced or changed while it was open");

      Files.write(second, written);
      watch.check();
      assertThat(watch.damaged()).isEmpty();
    }
  }

  /**
   * Once the name of the compressed file is on the disk, nothing is forced any longer: of what
   * follows, any part may be there after a loss of power.
   */
  @Test
  void anyPartOfTheLastStepsLeavesAReadableJournal() throws IOException {
    write();
    editor.stamp(key());
    List<Object> contents = contents(plain);
    SegmentFiles files = files();
    long first = files.firsts().get(1);
    Path segment = files.segment(first);
    Path stampFile = StampFile.of(files, first).file();
    byte[] segmentBytes = Files.readAllBytes(segment);
    byte[] stampBytes = Files.readAllBytes(stampFile);
    try (Journal _ = Journals.opened(compressing)) {
      await().until(() -> count(".segment") == 1);
    }
    Path compressedStampFile = StampFile.of(files, first).file();
    byte[] compressedStampBytes = Files.readAllBytes(compressedStampFile);

    for (int segmentKept : List.of(0, segmentBytes.length)) {
      for (int stampKept : List.of(0, stampBytes.length)) {
        for (int kept :
            List.of(0, 1, compressedStampBytes.length / 2, compressedStampBytes.length)) {
          writeOrDelete(segment, segmentBytes, segmentKept);
          writeOrDelete(stampFile, stampBytes, stampKept);
          writeOrDelete(compressedStampFile, compressedStampBytes, kept);
          expectReadAfterKill("%d %d %d".formatted(segmentKept, stampKept, kept), contents);
        }
      }
    }
  }

  private static void writeOrDelete(Path file, byte[] bytes, int kept) throws IOException {
    if (kept == 0) {
      Files.deleteIfExists(file);
    } else {
      Files.write(file, Arrays.copyOf(bytes, kept));
    }
  }

  /** Opens a copy of the journal as it would be left by a process that is killed. */
  private void expectReadAfterKill(String step, List<Object> contents) throws IOException {
    Path copied = Files.createTempDirectory(directory, "killed");
    copy(directory.resolve("checkpoint.key"), copied.resolve("checkpoint.key"));
    copy(directory.resolve("checkpoint"), copied.resolve("checkpoint"));
    Files.createDirectory(copied.resolve("journal"));
    for (Path file : files("")) {
      copy(file, copied.resolve("journal").resolve(file.getFileName()));
    }
    JournalSettings killed = Journals.withCompression(settings(copied), SegmentCompression.NONE);
    assertThat(contents(killed)).describedAs(step).isEqualTo(contents);
    try (Journal journal = Journals.opened(killed)) {
      assertThat(journal.state()).describedAs(step).isEqualTo(new JournalState.Writable());
    }
    try (Stream<Path> left = Files.list(copied.resolve("journal"))) {
      assertThat(left).describedAs(step).noneMatch(it -> it.toString().endsWith(".new"));
    }
    assertThat(contents(killed)).describedAs(step).isEqualTo(contents);
  }

  @Test
  void aFileBesideAStampedSegmentIsRemovedOrReplaced() throws IOException {
    write();
    editor.stamp(key());
    List<Object> contents = contents(plain);
    List<Long> firsts = files().firsts();
    Path left = files().compressedSegment(firsts.get(1));

    Files.write(left, new byte[100]);
    try (Journal _ = Journals.opened(plain)) {
      await().until(() -> count(".segment.z") == 0);
    }
    assertThat(contents(plain)).isEqualTo(contents);
    Files.write(left, new byte[100]);
    try (Journal _ = Journals.opened(compressing)) {
      await().until(() -> count(".segment") == 1);
    }
    assertThat(contents(plain)).isEqualTo(contents);
    assertThat(count(".segment.z")).isEqualTo(firsts.size() - 1L);
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.isRegularFile(from)) {
      Files.copy(from, to);
    }
  }

  @Test
  void aCompressedSegmentThatBecomesTheLastIsAppendedTo() throws IOException {
    write();
    editor.compress();
    long last = files().firsts().getLast();
    Files.delete(files().segment(last));
    Files.delete(directory.resolve("checkpoint"));
    Files.delete(directory.resolve("acknowledged"));

    try (Journal journal = Journals.opened(compressing)) {
      assertThat(journal.head()).isEqualTo(last - 1);
      append(journal, draft("next"));
    }

    assertThat(Files.exists(files().segment(files().firsts().getLast()))).isTrue();
    try (Journal journal = Journals.opened(compressing)) {
      assertThat(journal.head()).isEqualTo(last);
    }
  }

  @Test
  void aChangedByteIsNeverReadAsOtherData() throws IOException {
    write();
    List<String> all;
    try (Journal journal = Journals.opened(plain)) {
      all = texts(journal.read(0, 1_000));
    }
    editor.compress();
    Path changed = files(".segment.z").get(1);
    byte[] whole = Files.readAllBytes(changed);
    int step = 1 + (whole.length - SegmentHeader.BYTES) / Proof.rounds(40, 400);
    for (int at = SegmentHeader.BYTES; at < whole.length; at += step) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) (1 << at % 8);
      Files.write(changed, bytes);

      assertThat(isRefused(all)).describedAs("byte " + at).isTrue();
      assertThat(isFound(all)).describedAs("byte " + at).isTrue();
    }
  }

  /** Whether reading event by event fails somewhere; what is read is right. */
  private boolean isRefused(List<String> all) throws IOException {
    SegmentFiles files = files();
    boolean isRefused = false;
    try (ReadHandles _ = files.handles()) {
      List<Long> firsts = files.firsts();
      for (long first : firsts.subList(0, 4)) {
        Segment segment = Segment.readOnly(files, first);
        for (long position = first; position <= segment.last(); position++) {
          try {
            long expected = position;
            segment.read(
                position,
                position,
                entry -> {
                  assertThat(text(entry)).isEqualTo(all.get((int) expected - 1));
                  return false;
                });
          } catch (CompressedSegments.DamagedBlock e) {
            isRefused = true;
            assertThat(e)
                .hasMessageMatching(
                    "(block \\d+ of \\d{19}\\.segment\\.z, at byte \\d+"
                        + "|the table of blocks at the end of \\d{19}\\.segment\\.z) is damaged");
          }
        }
      }
    }
    return isRefused;
  }

  /** Whether a verification does not settle the journal; what it reads is right. */
  private boolean isFound(List<String> all) {
    try (JournalSnapshot snapshot = Journals.snapshot(plain)) {
      SnapshotReading reading =
          snapshot.read(new SnapshotReading.Order(List.of(key().verifier()), false, 1));
      int unsettled = 0;
      for (SnapshotPart part : reading.parts()) {
        unsettled += part.settled().isEmpty() ? 1 : 0;
        try (RowCursor<Entry> events = part.events(0)) {
          for (Entry it = events.next(); it != null; it = events.next()) {
            assertThat(text(it)).isEqualTo(all.get((int) it.position() - 1));
          }
        }
      }
      return unsettled == 2; // the last one is never settled
    }
  }

  @Test
  void denialsTakeAtMostHalfOfTheirPayload() throws Exception {
    ObjectMapper json = new ObjectMapper();
    JournalSettings settings = Journals.withSegments(plain, 400_000);
    try (Journal journal = Journals.opened(settings)) {
      for (int batch = 0; batch < 8; batch++) {
        List<DraftEvent> drafts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          String call = DeniedCall.newCallId();
          Tag tag = new Tag("call", call);
          drafts.add(draft(json.writeValueAsString(DeniedCall.received(call)), tag));
          drafts.add(draft(json.writeValueAsString(DeniedCall.denied(call)), tag));
        }
        append(journal, drafts.toArray(DraftEvent[]::new));
      }
    }
    SegmentFiles files = files();
    SegmentCompressor compressor =
        new SegmentCompressor(files, plain.limits().segmentBlockBytesMax());
    assertThat(files.firsts().size()).isGreaterThan(1);
    long payloadBytes = 0;
    SegmentScan scan = files.scan(files.readHeader(1).orElseThrow(), files.size(1));
    for (BatchRecord it = scan.next(); it != null; it = scan.next()) {
      payloadBytes += it.entries().stream().mapToLong(entry -> entry.payload().length).sum();
    }

    compressor.writeDraft(1, new BackgroundPace());
    compressor.putInPlace(1);

    assertThat(Files.size(files.compressedSegment(1))).isLessThan(payloadBytes / 2);
  }
}
