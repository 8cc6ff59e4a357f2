package gatebook.events.journal.segment.file;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recovers what a killed process or a loss of power left of segments. */
class SegmentRecoveryTest {
  private static final JournalState WRITABLE = new JournalState.Writable();
  private static final Tag CALL = new Tag("call", "1");

  @TempDir Path directory;
  private JournalSettings settings;
  private Path left;
  private Journal journal;

  /** Three events of a process that was killed: no checkpoint covers them. */
  @BeforeEach
  void leaveEvents() throws IOException {
    Path used = Files.createDirectory(directory.resolve("used"));
    Path copied = Files.createDirectory(directory.resolve("left"));
    settings = Journals.inSegments(copied);
    left = Files.createDirectory(copied.resolve("journal"));
    journal = Journals.opened(Journals.inSegments(used));
    for (String payload : List.of("a", "b", "c")) {
      assertThat(append(journal, draft(payload, CALL))).isInstanceOf(Append.Stored.class);
    }
    for (String file : List.of("checkpoint.key", "checkpoint", "acknowledged")) {
      await().until(() -> Files.exists(used.resolve(file))); // a thread of its own writes it
      Files.copy(used.resolve(file), copied.resolve(file));
    }
    Files.copy(used.resolve("journal").resolve(FIRST), left.resolve(FIRST));
    journal.close();
  }

  private static final String FIRST = "0000000000000000001.segment";

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void everyEventOfAKilledProcessIsFound() {
    journal = Journals.opened(settings);

    assertThat(journal.state()).isEqualTo(WRITABLE);
    assertThat(payloads()).containsExactly("a", "b", "c");
    assertThat(append(journal, draft("d"))).isEqualTo(new Append.Stored(4, 4));
  }

  @Test
  void aTornRecordIsCutOffByTheNextAppend() throws IOException {
    byte[] whole = Files.readAllBytes(left.resolve(FIRST));
    Files.write(left.resolve(FIRST), new byte[] {1, 2, 3, 4, 5}, StandardOpenOption.APPEND);

    journal = Journals.opened(settings);
    assertThat(journal.state()).isEqualTo(WRITABLE);
    assertThat(Files.size(left.resolve(FIRST))).isEqualTo(whole.length + 5L);
    append(journal, draft("d"));
    journal.close();

    journal = Journals.opened(settings);
    assertThat(payloads()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void aTornRecordOfAcknowledgedEventsIsKept() throws IOException {
    Path segment = left.resolve(FIRST);
    byte[] torn = torn(segment);

    journal = Journals.opened(settings);

    assertThat(journal.state())
        .isEqualTo(
            new JournalState.Distrusted("3 events were acknowledged and the journal holds 2"));
    assertThat(append(journal, draft("d"))).isInstanceOf(Append.Distrusted.class);
    journal.close();
    assertThat(Files.readAllBytes(segment)).isEqualTo(torn);
  }

  /** Cuts the last bytes off the record of the last event. */
  private byte[] torn(Path segment) throws IOException {
    long end = 0;
    try (ReadHandles handles = new ReadHandles()) {
      SegmentFiles files = new SegmentFiles(left, handles, new FilterMemory());
      SegmentScan scan = files.scan(files.readHeader(1).orElseThrow(), Files.size(segment));
      for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
        end = record.entries().isEmpty() ? end : record.end();
      }
    }
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      channel.truncate(end - 7);
    }
    return Files.readAllBytes(segment);
  }

  @Test
  void aDamagedRecordBeforeOthersIsNotTrusted() throws IOException {
    flip(left.resolve(FIRST), "\"a\"".getBytes(UTF_8).length + SegmentHeader.BYTES);

    journal = Journals.opened(settings);

    assertThat(journal.state()).isInstanceOf(JournalState.Distrusted.class);
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x10;
    Files.write(file, bytes);
  }

  @Test
  void aSegmentThatWasNeverFinishedIsCreatedAgain() throws IOException {
    Files.write(left.resolve("0000000000000000004.segment"), new byte[100]);

    journal = Journals.opened(settings);

    assertThat(journal.state()).isEqualTo(WRITABLE);
    assertThat(append(journal, draft("d"))).isEqualTo(new Append.Stored(4, 4));
  }

  @Test
  void aJournalThatWasNeverFinishedIsCreatedAgain() throws IOException {
    Path fresh = Files.createDirectory(directory.resolve("fresh"));
    Files.createDirectory(fresh.resolve("journal"));
    Files.write(fresh.resolve("journal").resolve(FIRST), new byte[100]);

    journal = Journals.opened(Journals.inSegments(fresh));

    assertThat(append(journal, draft("a"))).isEqualTo(new Append.Stored(1, 1));
  }

  @Test
  void aSnapshotLeavesEveryFileAsItIs() throws IOException {
    Files.write(left.resolve(FIRST), new byte[] {1, 2, 3, 4, 5}, StandardOpenOption.APPEND);
    byte[] before = Files.readAllBytes(left.resolve(FIRST));

    try (JournalSnapshot snapshot = Journals.snapshot(settings);
        RowCursor<Entry> events = snapshot.events()) {
      List<Long> positions = new ArrayList<>();
      for (Entry entry = events.next(); entry != null; entry = events.next()) {
        positions.add(entry.position());
      }
      assertThat(positions).containsExactly(1L, 2L, 3L);
    }

    assertThat(Files.readAllBytes(left.resolve(FIRST))).isEqualTo(before);
  }

  @Test
  void segmentsOfANewerVersionAreRefused() throws IOException {
    try (FileChannel channel = FileChannel.open(left.resolve(FIRST), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, 2), Long.BYTES);
    }

    assertThat(Journal.open(settings))
        .isEqualTo(
            new Journal.OpenResult.Refused(
                "the journal %s has format 2 and this version knows 1: use a newer gatebook"
                    .formatted(left)));
  }

  @Test
  void anOlderJournalIsRefusedAndNotBegunAnew() throws IOException {
    Path old = Files.createDirectory(directory.resolve("old"));
    Path rows = Files.writeString(old.resolve("journal.mv.db"), "rows");

    expectOlderRefused(Journals.inSegments(old), rows);

    assertThat(old.resolve("journal")).doesNotExist();
    assertThat(rows).hasContent("rows");
  }

  @Test
  void segmentsBesideAnOlderJournalAreUsed() throws IOException {
    for (String name : List.of("", ".taken-over")) {
      Files.writeString(left.resolveSibling("journal.mv.db" + name), "rows");
    }

    journal = Journals.opened(settings);

    assertThat(payloads()).containsExactly("a", "b", "c");
    assertThat(append(journal, draft("d"))).isEqualTo(new Append.Stored(4, 4));
  }

  @Test
  void segmentsWithAPartOfAnOlderJournalAreRefused() throws IOException {
    Path rows = Files.writeString(left.resolveSibling("journal.mv.db"), "rows");
    Files.createFile(left.resolve("taking-over"));
    byte[] before = Files.readAllBytes(left.resolve(FIRST));

    expectOlderRefused(settings, rows);

    assertThat(Files.readAllBytes(left.resolve(FIRST))).isEqualTo(before);
    Files.move(rows, left.resolveSibling("journal.mv.db.taken-over")); // after the last event
    journal = Journals.opened(settings);
    assertThat(payloads()).containsExactly("a", "b", "c");
  }

  private static void expectOlderRefused(JournalSettings old, Path rows) {
    String sentence =
        "the journal %s is in a format that this version does not read: use the version that wrote it, or another data directory"
            .formatted(rows);
    assertThat(Journal.open(old)).isEqualTo(new Journal.OpenResult.Refused(sentence));
    assertThat(JournalSnapshot.take(old))
        .isEqualTo(new JournalSnapshot.TakeResult.Refused(sentence));
  }

  @Test
  void indexesThatAreMissingOrDamagedAreMadeAgain() throws IOException {
    JournalSettings small = Journals.withSegments(settings, 1_000);
    journal = Journals.opened(small);
    for (int i = 0; i < 40; i++) {
      append(journal, draft("more " + i, new Tag("call", "" + i % 7)));
    }
    List<Long> found = found(new Tag("call", "3"));
    journal.close();
    List<Path> indexes = indexes();
    assertThat(indexes).hasSizeGreaterThan(5);
    Files.delete(indexes.get(0));
    flip(indexes.get(1), 50);
    Files.write(indexes.get(2), new byte[0]);
    Files.copy(indexes.get(4), indexes.get(3), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    journal = Journals.opened(small);

    assertThat(found(new Tag("call", "3"))).isEqualTo(found).hasSizeGreaterThan(5);
    assertThat(indexes()).isEqualTo(indexes);
  }

  private List<Path> indexes() throws IOException {
    List<Path> indexes = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(left, "*.index")) {
      found.forEach(indexes::add);
    }
    indexes.sort(null);
    return indexes;
  }

  private List<Long> found(Tag tag) {
    return journal.find(EventCriteria.havingTags(tag), 0, journal.head(), 100).stream()
        .map(Entry::position)
        .toList();
  }

  private List<String> payloads() {
    return journal.find(null, 0, journal.head(), 10).stream()
        .map(entry -> new String(entry.payload(), UTF_8))
        .toList();
  }
}
