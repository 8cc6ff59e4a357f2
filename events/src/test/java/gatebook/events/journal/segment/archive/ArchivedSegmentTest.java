package gatebook.events.journal.segment.archive;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.ArchivedObject;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.archive.FailingTarget;
import gatebook.events.journal.segment.SegmentCompression;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.keys.store.RecordedKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Segments that are in an archive only are read as before. */
final class ArchivedSegmentTest {
  private static final int EVENTS = 60;
  private static final Duration SOON = Duration.ofMillis(20);

  @TempDir Path directory;
  private JournalSettings kept;
  private Path archive;
  private Path segments;

  @BeforeEach
  void write() {
    kept =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.inSegments(directory), 5_000), 4, 600_000);
    archive = directory.resolve("archive");
    segments = directory.resolve("journal");
  }

  private static void fill(Journal journal) {
    for (int i = 0; i < EVENTS; i++) {
      append(journal, draft("{\"n\":%d}".formatted(i), new Tag("call", "c" + i / 3)));
    }
  }

  private SegmentRetention.Archive toDirectory() {
    return () -> DirectoryTarget.open(archive);
  }

  private static JournalSettings with(JournalSettings settings, SegmentRetention retention) {
    return Journals.at(((SegmentLocation) settings.location()).with(retention), settings);
  }

  private static SegmentRetention after(Duration age, SegmentRetention.Archive archive) {
    return new SegmentRetention(
        Optional.of(age), OptionalLong.empty(), Duration.ZERO, Optional.of(archive), SOON);
  }

  /** The settings of a journal that only reads the archive. */
  private JournalSettings reading(SegmentRetention.Archive from) {
    return with(
        kept,
        new SegmentRetention(
            Optional.empty(), OptionalLong.empty(), Duration.ZERO, Optional.of(from)));
  }

  private void archiveAll(JournalSettings settings) {
    try (Journal journal = Journals.opened(with(settings, after(Duration.ZERO, toDirectory())))) {
      if (journal.head() == 0) {
        fill(journal);
      }
      await().until(() -> count(".segment") == 1 && count(".segment.z") == 0);
    }
  }

  private long count(String ending) {
    try (Stream<Path> files = Files.list(segments)) {
      return files.filter(it -> it.toString().endsWith(ending)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Object> readings(Journal journal) {
    long head = journal.head();
    List<Object> readings = new ArrayList<>();
    readings.add(journal.read(0, EVENTS).stream().map(ArchivedSegmentTest::text).toList());
    readings.add(journal.leaves(0, head).stream().map(HexFormat.of()::formatHex).toList());
    for (int call = 0; call < EVENTS / 3; call++) {
      EventCriteria criteria = EventCriteria.havingTags(new Tag("call", "c" + call));
      readings.add(
          journal.find(criteria, 0, head, 9).stream().map(ArchivedSegmentTest::text).toList());
    }
    return readings;
  }

  private static String text(Entry entry) {
    return "%d %s %s".formatted(entry.position(), entry.id(), new String(entry.payload(), UTF_8));
  }

  @Test
  void segmentsGoAlsoAfterTheirKeyWasReplaced() {
    try (Journal journal = Journals.opened(with(kept, after(Duration.ZERO, toDirectory())))) {
      journal
          .checkpointKeyRotation()
          .rotate((oldKey, newKey) ->
              new EventVocabulary()
                  .draft(
                      new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()),
                      Instant.now()));
      fill(journal);

      await().until(() -> count(".archived") > 1);
    }
  }

  /** Its index has another change time, as each file of a copy. */
  @Test
  void aCopyIsStampedAgainWithoutFetching() throws IOException {
    archiveAll(kept);
    Path index = segments.resolve("0000000000000000001.index");
    Files.setLastModifiedTime(index, FileTime.from(Instant.EPOCH));
    SegmentFiles files = new SegmentFiles(segments, new ReadHandles(), new FilterMemory());
    AtomicInteger fetched = new AtomicInteger();
    SegmentRetention counting =
        new SegmentRetention(
            Optional.empty(),
            OptionalLong.empty(),
            Duration.ZERO,
            Optional.of(() -> FailingTarget.counting(DirectoryTarget.open(archive), fetched)),
            SOON);

    try (Journal _ = Journals.opened(with(kept, counting))) {
      await()
          .until(() ->
              SegmentStamp.unverified(files.mark(1).stamp())
                  .filter(it -> it.indexFile().state().modified().equals(Instant.EPOCH))
                  .isPresent());
    }
    assertThat(fetched).hasValue(0);
  }

  @Test
  void objectsThatNoMarkNamesAreTold() throws IOException {
    archiveAll(kept);
    for (String name : List.of("0000000000000000001.segment", "0000000000000009999.index")) {
      Files.writeString(archive.resolve("segments").resolve(name), "left");
    }
    Path later = archive.resolve("segments/%019d.segment.z".formatted(lastFirst()));
    Files.writeString(later, "of a move that is not done");
    Logger log = (Logger) LoggerFactory.getLogger(UnnamedObjects.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    log.addAppender(logged);

    try (Journal _ = Journals.opened(with(kept, after(Duration.ofDays(1), toDirectory())))) {
      await().until(() -> !logged.list.isEmpty());
    } finally {
      log.detachAppender(logged);
    }
    assertThat(logged.list.getFirst().getKeyValuePairs())
        .contains(
            new KeyValuePair("objects", 2),
            new KeyValuePair(
                "first", List.of("0000000000000000001.segment", "0000000000000009999.index")));
    assertThat(later).exists();
  }

  private long lastFirst() throws IOException {
    return new SegmentFiles(segments, new ReadHandles(), new FilterMemory()).firsts().getLast();
  }

  @ParameterizedTest
  @EnumSource
  void everyReadIsThatOfSegmentsOnTheDisk(SegmentCompression compression) {
    JournalSettings settings = Journals.withCompression(kept, compression);
    List<Object> readings;
    try (Journal journal = Journals.opened(settings)) {
      fill(journal);
      readings = readings(journal);
    }
    long sealed = count(".index");
    archiveAll(settings);

    assertThat(sealed).isGreaterThan(3);
    assertThat(count(".archived")).isEqualTo(sealed);
    try (Journal journal = Journals.opened(reading(toDirectory()))) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(readings(journal)).isEqualTo(readings);
      assertThat(journal.isArchived(1)).isTrue();
      assertThat(journal.isArchived(journal.head())).isFalse();
      assertThat(append(journal, draft("next"))).isNotNull();
    }
    assertThat(count("fetched-")).isZero();
  }

  @Test
  void theArchiveHasSegmentsWithTheirIndexesAndStamps() throws IOException {
    archiveAll(kept);
    long sealed = count(".archived");

    try (ArchiveTarget target = DirectoryTarget.open(archive)) {
      assertThat(target.list("segments/"))
          .hasSize((int) (3 * sealed))
          .extracting(ArchivedObject::name)
          .contains(
              "segments/0000000000000000001.index",
              "segments/0000000000000000001.segment.z",
              "segments/0000000000000000001.z.stamp");
    }
  }

  @Test
  void youngSegmentsStay() {
    JournalSettings settings = with(kept, after(Duration.ofHours(1), toDirectory()));
    AtomicInteger looked = new AtomicInteger();
    SegmentRetention counting =
        new SegmentRetention(
            Optional.empty(),
            OptionalLong.of(1),
            Duration.ofHours(1),
            Optional.of(() -> {
              looked.incrementAndGet();
              return DirectoryTarget.open(archive);
            }),
            SOON);
    for (JournalSettings each : List.of(settings, with(kept, counting))) {
      try (Journal journal = Journals.opened(each)) {
        fill(journal);
        await().until(() -> count(".segment") == 1);
      }
    }

    assertThat(count(".archived")).isZero();
    assertThat(looked).hasValue(0);
  }

  @Test
  void theOldestSegmentsGoWhileTheJournalIsTooLarge() throws IOException {
    try (Journal journal = Journals.opened(kept)) {
      fill(journal);
      await().until(() -> count(".segment") == 1);
    }
    long bytes = 0;
    try (Stream<Path> files = Files.list(segments)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    SegmentRetention retention =
        new SegmentRetention(
            Optional.empty(),
            OptionalLong.of(bytes - 1),
            Duration.ZERO,
            Optional.of(toDirectory()),
            SOON);
    try (Journal _ = Journals.opened(with(kept, retention))) {
      await().until(() -> count(".archived") > 0);
    }

    assertThat(segments.resolve("0000000000000000001.archived")).exists();
    assertThat(count(".segment.z")).isGreaterThan(1);
  }

  @Test
  void anArchiveThatIsMissingOrChangedIsTold() throws IOException {
    archiveAll(kept);
    Path object = archive.resolve("segments/0000000000000000001.segment.z");

    expectUnreadable(kept, "none is given: name it under 'retention.archive'");
    try (Journal journal = Journals.opened(kept)) {
      assertThat(RecordedKeys.of(journal).first()).isEmpty();
    }
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length / 2] ^= 1;
    Files.write(object, bytes);
    expectUnreadable(reading(toDirectory()), "is not what was archived");
    Files.delete(object);
    expectUnreadable(reading(toDirectory()), "there is no segments/0000000000000000001.segment.z");
  }

  private static void expectUnreadable(JournalSettings settings, String why) {
    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThatThrownBy(() -> journal.find(null, 0, 1, 1))
          .isInstanceOf(JournalUnreadable.class)
          .hasMessageContaining(why);
      assertThat(journal.find(null, journal.head() - 1, journal.head(), 1)).hasSize(1);
    }
  }

  @Test
  void aMoveGoesOnAfterEveryStep() throws IOException {
    List<Object> readings;
    try (Journal journal = Journals.opened(kept)) {
      fill(journal);
      readings = readings(journal);
      await().until(() -> count(".segment") == 1);
    }
    for (int calls = 0; calls < 12; calls++) {
      AtomicInteger left = new AtomicInteger(calls);
      SegmentRetention.Archive failing =
          () -> FailingTarget.after(DirectoryTarget.open(archive), left);
      try (Journal _ = Journals.opened(with(kept, after(Duration.ZERO, failing)))) {
        await().until(() -> left.get() < 0 || count(".segment.z") == 0);
      }
      try (Journal journal = Journals.opened(reading(toDirectory()))) {
        assertThat(readings(journal)).as("after %d calls", calls).isEqualTo(readings);
      }
    }
    archiveAll(kept);
    try (Journal journal = Journals.opened(reading(toDirectory()))) {
      assertThat(readings(journal)).isEqualTo(readings);
    }
  }
}
