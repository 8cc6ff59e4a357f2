package gatebook.events.journal.postgres;

import static gatebook.events.journal.Journals.append;
import static gatebook.events.journal.Journals.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Append;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.drop.DropPlan;
import gatebook.events.journal.drop.EventDrops;
import gatebook.events.journal.drop.PositionSet;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of partitions that were dropped for good leave what is kept, and their leaves. */
@Order(1)
final class DroppedPartitionTest {
  private static final int EVENTS = 120;
  private static final int PARTITION = 50;

  private static final String WAITING =
      "FROM pg_locks WHERE relation = 'journal_tag'::regclass AND NOT granted";

  @TempDir Path directory;
  private JournalSettings settings;
  private Path archive;
  private Journal journal;
  private List<Entry> before;
  private List<String> leaves;

  @BeforeEach
  void write() {
    SharedLocation location = Journals.freshSchema().withPartitions(PARTITION);
    settings =
        Journals.withCheckpoints(
            Journals.withSegments(Journals.settings(directory, location), 5_000), 4, 600_000);
    archive = directory.resolve("archive");
    journal = Journals.opened(settings);
    for (int i = 0; i < EVENTS; i += 3) {
      Tag call = new Tag("call", "c" + i / 3);
      store(draft("{}", call), draft("{\"n\":%d}".formatted(i), call), draft("{}", call));
    }
    journal.sign().join();
    before = journal.find(null, 0, EVENTS, EVENTS);
    leaves = leaves(journal);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  /** A partition may be filled before the next one is made: then nothing is stored. */
  private void store(DraftEvent... drafts) {
    await().until(() -> append(journal, drafts) instanceof Append.Stored);
  }

  private EventDrops drops() {
    return TestDrops.keepingEachTenth(journal);
  }

  private static List<String> leaves(Journal journal) {
    return journal.leaves(0, EVENTS).stream().map(HexFormat.of()::formatHex).toList();
  }

  private void open(JournalSettings other) {
    journal.close();
    journal = Journals.opened(other);
  }

  /** The settings of a node that moves partitions older than this to the archive. */
  private JournalSettings archiving(Duration age) {
    return Journals.at(
        ((SharedLocation) settings.location())
            .with(
                new SegmentRetention(
                    Optional.of(age),
                    OptionalLong.empty(),
                    Duration.ZERO,
                    Optional.of(() -> DirectoryTarget.open(archive)),
                    Duration.ofMillis(20))),
        settings);
  }

  private Connection connect() throws SQLException {
    return Journals.administrator((SharedLocation) settings.location());
  }

  private long number(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> objects() throws IOException {
    try (Stream<Path> objects = Files.list(archive.resolve("segments"))) {
      return objects.map(it -> it.getFileName().toString()).toList();
    }
  }

  private void expectDropped(Journal reader, long to) {
    Instant newestAt =
        before.subList(0, (int) to).stream()
            .map(it -> Instant.parse(it.at()))
            .max(Instant::compareTo)
            .orElseThrow();
    assertThat(reader.state()).isEqualTo(new JournalState.Writable());
    assertThat(reader.droppedThrough().map(DroppedThrough::position)).contains(to);
    assertThat(reader.droppedThrough().orElseThrow().at()).isBeforeOrEqualTo(newestAt);
    assertThat(positions(reader.find(null, 0, EVENTS, EVENTS)))
        .isEqualTo(
            LongStream.rangeClosed(1, EVENTS)
                .filter(it -> it > to || it % 10 == 0)
                .boxed()
                .toList());
    assertThat(positions(reader.find(null, 15, EVENTS, 2))).containsExactly(20L, 30L);
    assertThat(reader.find(null, 9, 10, 1))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(before.get(9));
    assertThat(positions(reader.find(call("c0"), 0, reader.head(), 9))).isEmpty();
    assertThat(positions(reader.find(call("c3"), 0, reader.head(), 9))).containsExactly(10L);
    assertThat(reader.positionBefore(Instant.parse(before.getFirst().at()))).isEqualTo(9);
    assertThat(reader.nodesAfter(0, 5).keySet()).containsExactly("node-1");
    assertThat(leaves(reader)).isEqualTo(leaves);
    assertThat(reader.isArchived(10)).isFalse();
  }

  private static EventCriteria call(String id) {
    return EventCriteria.havingTags(new Tag("call", id));
  }

  private static List<Long> positions(List<Entry> entries) {
    return entries.stream().map(Entry::position).toList();
  }

  @Test
  void keptEventsAndAllLeavesStayOnEveryNode() {
    try (Journal other = Journals.opened(settings)) {
      RecordedDrop first = TestDrops.dropOldest(drops());
      expectDropped(other, PARTITION);
      RecordedDrop second = TestDrops.dropOldest(TestDrops.keepingEachTenth(other));

      assertThat(List.of(first.from(), first.to(), second.from(), second.to()))
          .containsExactly(1L, 50L, 51L, 100L);
      expectDropped(journal, 100);
      expectDropped(other, 100);
      assertThat(drops().oldest()).isEmpty();
    }
    assertThat(number("SELECT COUNT(*) FROM journal WHERE position <= 100")).isZero();
    assertThat(number("SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('journal_p51')"))
        .isZero();

    open(settings);
    expectDropped(journal, 100);
    assertThat(append(journal, draft("next"))).isInstanceOf(Append.Stored.class);
  }

  @Test
  void droppedEventsLeaveTheArchive() throws IOException {
    open(archiving(Duration.ZERO));
    await().until(() -> number("SELECT MIN(first) FROM journal_partition") == 101);
    long checkpoints = number("SELECT MIN(number) FROM journal_checkpoint");
    List<String> stored = objects();

    RecordedDrop dropped = TestDrops.dropOldest(drops());
    while (dropped.to() < PARTITION) {
      dropped = TestDrops.dropOldest(drops());
    }

    expectDropped(journal, PARTITION);
    assertThat(objects()).containsExactlyInAnyOrderElementsOf(stored);
    assertThat(drops().removeArchived()).isEmpty();
    assertThat(objects()).hasSizeLessThan(stored.size()).isNotEmpty();
    assertThat(objects()).noneMatch(it -> it.compareTo("0000000000000000051") < 0);
    assertThat(checkpoints).isGreaterThan(1);
    assertThat(number("SELECT MIN(number) FROM journal_checkpoint")).isEqualTo(1);
    assertThat(journal.isArchived(PARTITION + 1)).isTrue();
    expectDropped(journal, PARTITION);
  }

  @Test
  void anArchiveThatIsAwayIsToldAndTriedAgain() throws IOException {
    open(archiving(Duration.ZERO));
    await().until(() -> number("SELECT MIN(first) FROM journal_partition") == 101);
    RecordedDrop dropped = TestDrops.dropOldest(drops());
    open(settings);

    assertThat(drops().removeArchived()).get().asString().contains("none is given");
    assertThat(journal.droppedThrough().map(DroppedThrough::position)).contains(dropped.to());

    open(archiving(Duration.ofDays(1)));
    assertThat(drops().removeArchived()).isEmpty();
    assertThat(objects()).noneMatch(it -> it.startsWith("0000000000000000001"));
  }

  @Test
  void anotherNodeFinishesWhatAnEventBegan() {
    OldestRange range = drops().oldest().orElseThrow();
    append(
        journal, TestDrops.statement(range, new DropPlan(PositionSet.of(List.of(2L)), List.of())));
    close();

    journal = Journals.opened(settings);
    assertThat(journal.droppedThrough()).isEmpty();
    assertThat(drops().finishBegun()).get().isInstanceOf(EventDrops.Outcome.Dropped.class);
    assertThat(drops().finishBegun()).isEmpty();
    assertThat(positions(journal.find(null, 0, 52, 9))).containsExactly(2L, 51L, 52L);
  }

  @Test
  void linesOfTheIndexGoAfterTheTransactionThatDrops() throws Exception {
    OldestRange range = drops().oldest().orElseThrow();
    append(
        journal, TestDrops.statement(range, new DropPlan(PositionSet.of(List.of(2L)), List.of())));
    journal.sign().join();
    CompletableFuture<Optional<EventDrops.Outcome>> stopped;
    try (Connection holder = connect();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE journal_tag IN SHARE ROW EXCLUSIVE MODE");
      stopped = CompletableFuture.supplyAsync(() -> drops().finishBegun());
      await().until(() -> journal.droppedThrough().isPresent());
      await().until(() -> number("SELECT COUNT(*) " + WAITING) == 1);

      assertThat(positions(journal.find(call("c0"), 0, 52, 9))).contains(2L);
      assertThat(leaves(journal)).isEqualTo(leaves);
      assertThat(number("SELECT COUNT(pg_terminate_backend(pid)) " + WAITING)).isEqualTo(1);
      assertThat(stopped.get(30, TimeUnit.SECONDS))
          .get()
          .isInstanceOf(EventDrops.Outcome.NotDone.class);
      holder.rollback();
    }

    assertThat(drops().finishBegun()).get().isInstanceOf(EventDrops.Outcome.Dropped.class);
    assertThat(positions(journal.find(call("c0"), 0, 52, 9))).containsExactly(2L);
    assertThat(positions(journal.find(null, 0, 52, 9))).containsExactly(2L, 51L, 52L);
    assertThat(leaves(journal)).isEqualTo(leaves);
  }

  @Test
  void oneOfTwoNodesRecordsTheDrop() {
    OldestRange range = drops().oldest().orElseThrow();
    TestDrops.dropOldest(drops());

    assertThat(drops().drop(range)).isEqualTo(new EventDrops.Outcome.Later());
    assertThat(
            journal.find(EventCriteria.havingTags(RecordedDrop.tag(1)), 0, journal.head(), EVENTS))
        .hasSize(1);
  }

  @Test
  void aPartitionIsRemovedWhenNoTransactionSeesIt() throws SQLException {
    try (Connection reader = connect()) {
      reader.setAutoCommit(false);
      reader.createStatement().execute("SELECT COUNT(*) FROM journal");
      EventDrops.Outcome outcome = drops().drop(drops().oldest().orElseThrow());
      assertThat(outcome).isInstanceOf(EventDrops.Outcome.NotDone.class);
      assertThat(journal.droppedThrough().map(DroppedThrough::position)).contains((long) PARTITION);
      reader.rollback();
    }

    assertThat(drops().finishBegun()).get().isInstanceOf(EventDrops.Outcome.Dropped.class);
    expectDropped(journal, PARTITION);
  }

  @Test
  void eventsThatAreNotAsTheyWereWrittenStay() {
    execute("UPDATE journal SET payload = 'edited' WHERE position = 30");

    assertThat(drops().drop(drops().oldest().orElseThrow()))
        .isEqualTo(
            new EventDrops.Outcome.NotDone(
                "events 1 to 50 are not what was signed, and are not dropped: verify the journal"));
    assertThat(journal.droppedThrough()).isEmpty();
    assertThat(journal.find(null, 0, PARTITION, PARTITION)).hasSize(PARTITION);
  }
}
