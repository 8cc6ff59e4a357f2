package gatebook.events.journal.postgres;

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
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.archive.FailingTarget;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.archive.UnnamedObjects;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Events of partitions that went to an archive are read as before. */
@Order(1)
final class ArchivedPartitionTest {
  private static final int EVENTS = 300;
  private static final int PARTITION = 100;

  /** That of the node that moves. */
  private static final String LOCK = "x'67617465'::int, 'journal'::regclass::oid::int";

  private static final String WAITING =
      "FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid ="
          + " x'67617465'::int::oid AND objid = 'journal'::regclass";

  private static final Duration SOON = Duration.ofMillis(20);

  @TempDir Path directory;
  private JournalSettings kept;
  private Path archive;

  @BeforeEach
  void write() {
    SharedLocation location = Journals.freshSchema().withPartitions(PARTITION);
    kept =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.settings(directory, location), 5_000), 4, 600_000);
    archive = directory.resolve("archive");
  }

  private static void fill(Journal journal) {
    for (int i = 0; i < EVENTS; i += 3) {
      Tag call = new Tag("call", "c" + i / 3);
      store(
          journal,
          draft("{\"n\":%d}".formatted(i), call),
          draft("{\"n\":%d}".formatted(i + 1), call),
          draft("{\"n\":%d}".formatted(i + 2), call, new Tag("other", "o" + i)));
    }
    store(journal, draft("{}"), draft("{}"), draft("{}"));
  }

  /** A partition may be filled before the next one is made: then nothing is stored. */
  private static void store(Journal journal, DraftEvent... drafts) {
    await().until(() -> append(journal, drafts) instanceof Append.Stored);
  }

  private SegmentRetention.Archive toDirectory() {
    return () -> DirectoryTarget.open(archive);
  }

  private JournalSettings with(SegmentRetention retention) {
    return Journals.at(((SharedLocation) kept.location()).with(retention), kept);
  }

  private static SegmentRetention after(Duration age, SegmentRetention.Archive archive) {
    return new SegmentRetention(
        Optional.of(age), OptionalLong.empty(), Duration.ZERO, Optional.of(archive), SOON);
  }

  /** The settings of a node that only reads the archive. */
  private JournalSettings reading() {
    return with(
        new SegmentRetention(
            Optional.empty(), OptionalLong.empty(), Duration.ZERO, Optional.of(toDirectory())));
  }

  private void archiveAll() {
    try (Journal journal = Journals.opened(with(after(Duration.ZERO, toDirectory())))) {
      if (journal.head() == 0) {
        fill(journal);
      }
      await().until(() -> number("SELECT MIN(first) FROM journal_partition") == EVENTS + 1);
    }
  }

  private long number(String sql) {
    try (Connection connection = Journals.administrator((SharedLocation) kept.location());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void execute(String sql) {
    try (Connection connection = Journals.administrator((SharedLocation) kept.location());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private List<Object> filled() {
    try (Journal journal = Journals.opened(kept)) {
      fill(journal);
      return readings(journal);
    }
  }

  private static List<Object> readings(Journal journal) {
    long head = EVENTS + 3;
    List<Object> readings = new ArrayList<>();
    readings.add(texts(journal.find(null, 0, head, EVENTS)));
    readings.add(texts(journal.find(null, 87, 244, 5)));
    readings.add(texts(journal.find(null, 87, 244, 200)));
    readings.add(journal.leaves(0, head).stream().map(HexFormat.of()::formatHex).toList());
    readings.add(journal.leaves(53, 247).stream().map(HexFormat.of()::formatHex).toList());
    for (int call = 0; call < EVENTS / 3; call += 7) {
      EventCriteria criteria = EventCriteria.havingTags(new Tag("call", "c" + call));
      readings.add(texts(journal.find(criteria, 0, head, 9)));
    }
    readings.add(journal.nodesAfter(0, 5));
    for (Entry entry : journal.find(null, 90, head, 25)) {
      readings.add(journal.positionBefore(Instant.parse(entry.at())));
    }
    return readings;
  }

  private static List<String> texts(List<Entry> entries) {
    return entries.stream()
        .map(it -> "%d %s %s".formatted(it.position(), it.id(), new String(it.payload(), UTF_8)))
        .toList();
  }

  @Test
  void everyReadIsThatOfRows() {
    List<Object> readings = filled();
    archiveAll();

    assertThat(number("SELECT COUNT(*) FROM journal")).isEqualTo(3);
    assertThat(number("SELECT COUNT(*) FROM journal_archive")).isGreaterThan(3);
    assertThat(number("SELECT COUNT(*) FROM journal_checkpoint WHERE size <= 300")).isZero();
    try (Journal journal = Journals.opened(reading())) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThat(readings(journal)).isEqualTo(readings);
      assertThat(journal.isArchived(1)).isTrue();
      assertThat(journal.isArchived(EVENTS)).isTrue();
      assertThat(journal.isArchived(EVENTS + 1)).isFalse();
      assertThat(append(journal, draft("next"))).isEqualTo(new Append.Stored(304, 304));
      assertThat(
              journal
                  .append(
                      ConflictCondition.nothingAfter(
                          0, EventCriteria.havingTags(new Tag("call", "c1"))),
                      List.of(draft("conflicts")))
                  .join())
          .isInstanceOf(Append.Conflict.class);
    }
  }

  @Test
  void aNodeReadsWhileAnotherOneMoves() {
    List<Object> readings = filled();
    try (Journal reader = Journals.opened(reading());
        Journal _ = Journals.opened(with(after(Duration.ZERO, toDirectory())));
        Journal _ = Journals.opened(with(after(Duration.ZERO, toDirectory())))) {
      while (number("SELECT MIN(first) FROM journal_partition") < EVENTS + 1) {
        assertThat(readings(reader)).isEqualTo(readings);
      }
      assertThat(readings(reader)).isEqualTo(readings);
    }
    try (Stream<Path> objects = Files.list(archive.resolve("segments"))) {
      assertThat(objects).hasSize(3 * (int) number("SELECT COUNT(*) FROM journal_archive"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nodeMovesPartitionsAfterLearningOfANewKey() {
    try (Journal moving = Journals.opened(with(after(Duration.ZERO, toDirectory())));
        Journal other = Journals.opened(kept)) {
      rotate(other); // makes the new key
      rotate(other);
      fill(other);
      other.sign().join();
      store(moving, draft("{}"));

      await().until(() -> number("SELECT MIN(first) FROM journal_partition") == EVENTS + 1);
    }
  }

  @Test
  void movingLetsOthersHaveTheLockAfterEachSegment() throws Exception {
    filled();
    CompletableFuture<Long> firstLeft = new CompletableFuture<>();
    AtomicBoolean isAsked = new AtomicBoolean();
    Runnable ask =
        () -> {
          if (!isAsked.getAndSet(true)) {
            Thread.ofPlatform().daemon().start(() -> firstLeft.complete(firstLeftUnderLock()));
            await().until(() -> number("SELECT COUNT(*) " + WAITING) == 1);
          }
        };
    try (Journal _ =
        Journals.opened(
            with(
                after(
                    Duration.ZERO,
                    () -> FailingTarget.beforePut(DirectoryTarget.open(archive), ask))))) {
      assertThat(firstLeft.get(60, TimeUnit.SECONDS)).isLessThan(EVENTS);
      await().until(() -> number("SELECT MIN(first) FROM journal_partition") == EVENTS + 1);
    }
  }

  /** The first position of a partition that is left when another one had the lock on moving. */
  private long firstLeftUnderLock() {
    try (Connection connection = Journals.administrator((SharedLocation) kept.location());
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(%s)".formatted(LOCK));
      return number("SELECT MIN(first) FROM journal_partition");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void rotate(Journal journal) {
    journal
        .checkpointKeyRotation()
        .rotate((oldKey, newKey) ->
            new EventVocabulary()
                .draft(
                    new CheckpointKeyRotated("alice", oldKey.text(), newKey.text()),
                    Instant.now()));
  }

  @Test
  void objectsThatNoRowNamesAreToldAndStay() throws IOException {
    filled();
    archiveAll();
    Path left = archive.resolve("segments/0000000000000000001-0123456789abcdef.segment.z");
    Path later = archive.resolve("segments/0000000000000000301-0123456789abcdef.segment.z");
    Files.writeString(left, "of an attempt that was killed");
    Files.writeString(later, "of one that is tried again");
    Logger log = (Logger) LoggerFactory.getLogger(UnnamedObjects.class);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    logged.start();
    log.addAppender(logged);

    try (Journal _ = Journals.opened(with(after(Duration.ofDays(1), toDirectory())))) {
      await().until(() -> !logged.list.isEmpty());
    } finally {
      log.detachAppender(logged);
    }
    assertThat(logged.list.getFirst().getKeyValuePairs())
        .contains(
            new KeyValuePair("objects", 1),
            new KeyValuePair("first", List.of(String.valueOf(left.getFileName()))));
    assertThat(left).exists();
  }

  @Test
  void youngPartitionsStay() {
    filled();
    AtomicInteger opened = new AtomicInteger();
    SegmentRetention.Archive counted =
        () -> {
          opened.incrementAndGet();
          return DirectoryTarget.open(archive);
        };
    SegmentRetention full =
        new SegmentRetention(
            Optional.empty(), OptionalLong.of(1), Duration.ofHours(1), Optional.of(counted), SOON);
    for (SegmentRetention each : List.of(after(Duration.ofHours(1), counted), full)) {
      try (Journal _ = Journals.opened(with(each))) {
        long looked = looked();
        await().until(() -> looked() > looked + 2);
      }
    }

    assertThat(opened).hasValue(0);
    assertThat(number("SELECT COUNT(*) FROM journal_archive")).isZero();
  }

  /** How often this schema's partitions were listed. */
  private long looked() {
    return number(
        "SELECT SUM(seq_scan + COALESCE(idx_scan, 0)) FROM pg_stat_user_tables"
            + " WHERE relid = 'journal_partition'::regclass");
  }

  @Test
  void theOldestPartitionsGoWhileTheTableIsTooLarge() {
    filled();
    long bytes;
    try (Journal journal = Journals.opened(kept)) {
      bytes = journal.bytes();
    }
    SegmentRetention retention =
        new SegmentRetention(
            Optional.empty(),
            OptionalLong.of(bytes - 1),
            Duration.ZERO,
            Optional.of(toDirectory()),
            SOON);
    try (Journal _ = Journals.opened(with(retention))) {
      await().until(() -> number("SELECT MIN(first) FROM journal_partition") > 1);
    }

    assertThat(number("SELECT COUNT(*) FROM journal")).isGreaterThan(3);
  }

  @Test
  void anArchiveThatIsMissingOrChangedIsTold() throws IOException {
    filled();
    archiveAll();
    Path object;
    try (Stream<Path> objects = Files.list(archive.resolve("segments"))) {
      object =
          objects
              .filter(it -> it.getFileName().toString().startsWith("0000000000000000001-"))
              .filter(it -> it.toString().endsWith(".segment.z"))
              .findFirst()
              .orElseThrow();
    }

    expectUnreadable(kept, "none is given: name it under 'retention.archive'");
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length / 2] ^= 1;
    Files.write(object, bytes);
    expectUnreadable(reading(), "is not what was archived");
    Files.delete(object);
    expectUnreadable(reading(), "there is no segments/" + object.getFileName());
  }

  private static void expectUnreadable(JournalSettings settings, String why) {
    try (Journal journal = Journals.opened(settings)) {
      assertThat(journal.state()).isEqualTo(new JournalState.Writable());
      assertThatThrownBy(() -> journal.find(null, 0, 1, 1))
          .isInstanceOf(JournalUnreadable.class)
          .hasMessageContaining(why);
      assertThat(journal.find(null, EVENTS, EVENTS + 1, 1)).hasSize(1);
      assertThat(journal.leaves(0, EVENTS)).hasSize(EVENTS);
    }
  }

  @Test
  void aMoveGoesOnAfterEveryFailureOfTheArchive() {
    List<Object> readings = filled();
    for (int calls = 0; calls < 8; calls++) {
      AtomicInteger left = new AtomicInteger(calls);
      SegmentRetention.Archive failing =
          () -> FailingTarget.after(DirectoryTarget.open(archive), left);
      try (Journal _ = Journals.opened(with(after(Duration.ZERO, failing)))) {
        await().until(() -> left.get() < 0);
      }
      try (Journal journal = Journals.opened(reading())) {
        assertThat(readings(journal)).as("after %d calls", calls).isEqualTo(readings);
      }
    }
    archiveAll();
    try (Journal journal = Journals.opened(reading())) {
      assertThat(readings(journal)).isEqualTo(readings);
    }
  }

  @Test
  void aRemovalGoesOnAfterEachOfItsSteps() throws SQLException {
    List<Object> readings = filled();
    try (Connection reader = Journals.administrator((SharedLocation) kept.location())) {
      reader.setAutoCommit(false);
      reader.createStatement().execute("SELECT COUNT(*) FROM journal");
      try (Journal journal = Journals.opened(with(after(Duration.ZERO, toDirectory())))) {
        await()
            .until(() ->
                number(
                        "SELECT COUNT(*) FROM pg_inherits WHERE inhdetachpending"
                            + " AND inhparent = 'journal'::regclass")
                    == 1);
        assertThat(readings(journal)).isEqualTo(readings);
      }
      reader.rollback();
    }
    execute("ALTER TABLE journal DETACH PARTITION journal_p1 FINALIZE");
    try (Journal journal = Journals.opened(reading())) {
      assertThat(readings(journal)).isEqualTo(readings);
    }

    archiveAll();

    assertThat(number("SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('journal_p1')"))
        .isZero();
    try (Journal journal = Journals.opened(reading())) {
      assertThat(readings(journal)).isEqualTo(readings);
    }
  }

  @Test
  void aPartitionThatIsNotAsItWasWrittenStays() {
    filled();
    execute("UPDATE journal SET payload = 'edited' WHERE position = 130");
    execute("DELETE FROM journal_tag WHERE tag = 'call:c88'");

    try (Journal _ = Journals.opened(with(after(Duration.ZERO, toDirectory())))) {
      await().until(() -> number("SELECT MIN(first) FROM journal_partition") == PARTITION + 1);
      long looked = looked();
      await().until(() -> looked() > looked + 4);
    }

    assertThat(number("SELECT COUNT(*) FROM journal_partition WHERE first <= 300")).isEqualTo(2);
    assertThat(number("SELECT COUNT(*) FROM journal_archive WHERE last >= 265")).isZero();
  }
}
