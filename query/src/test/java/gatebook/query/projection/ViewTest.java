package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ViewTest {
  private static final long TIMEOUT_MILLIS = 120_000;
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");

  @TempDir private Path directory;

  private final RecordingProjection projection = new RecordingProjection();
  private Journal journal;
  private ViewFile views;
  private View view;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.inSegments(directory));
    openViews();
  }

  private void openViews() {
    views = ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
    view = View.follow(views, journal, projection, new EventReader());
  }

  @AfterEach
  void close() {
    closeViews();
    journal.close();
  }

  private void closeViews() {
    view.close();
    views.close();
  }

  @Test
  void everyEventIsProjectedOnceAndInOrder() throws Exception {
    List<String> expected = new ArrayList<>(append(0, 1_000));
    closeViews();
    expected.addAll(append(1_000, 1_500));
    openViews();
    expected.addAll(append(1_500, 1_600));

    assertThat(view.await(1_600, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
  }

  @Test
  void aSnapshotIsOfOneMoment() throws Exception {
    append(0, 5);
    assertThat(view.await(5, TIMEOUT_MILLIS)).isTrue();

    List<Long> read =
        view.readSnapshot(connection -> {
          long position = number(connection, "SELECT position FROM progress");
          append(5, 10);
          await().until(() -> view.position() == 10);
          return List.of(position, number(connection, "SELECT COUNT(*) FROM payloads"));
        });

    assertThat(read).containsExactly(5L, 5L);
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement select = connection.createStatement();
        ResultSet row = select.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Axon alone stores such a position only when many events passed. */
  @Test
  void aPageWithoutAnyHandledEventMovesTheStoredPosition() throws Exception {
    Journals.append(journal, unhandled());

    assertThat(view.await(1, TIMEOUT_MILLIS)).isTrue();
    closeViews();
    openViews();
    assertThat(view.position()).isEqualTo(1);
  }

  private static DraftEvent unhandled() {
    DraftEvent draft = Journals.draft("ignored");
    return DraftEvent.of(
        draft.id(),
        "test.Unhandled",
        draft.version(),
        Instant.now(),
        draft.tags(),
        draft.payload(),
        draft.metadata());
  }

  @Test
  void aFailedBatchIsRolledBackAndRetried() throws Exception {
    projection.failing.add("e7");
    List<String> expected = append(0, 10);
    await().until(() -> view.status().state() == ViewStatus.State.FAILING);
    assertThat(view.status().failure()).isEqualTo("the database of the views failed");
    assertThat(RecordingProjection.payloads(view))
        .isEqualTo(expected.subList(0, (int) view.position()));

    projection.failing.clear();

    assertThat(view.await(10, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(view.status()).isEqualTo(upToDate(10, 0));
  }

  @Test
  void aViewContinuesAfterTheEngineClosedItsFile() throws Exception {
    List<String> expected = new ArrayList<>(append(0, 10));
    assertThat(view.await(10, TIMEOUT_MILLIS)).isTrue();
    try (Connection connection = views.connect()) {
      connection
          .createStatement()
          .execute("SHUTDOWN IMMEDIATELY"); // as the engine does after a failed write
    }

    expected.addAll(append(10, 20));

    assertThat(view.await(20, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(view.status()).isEqualTo(upToDate(20, 0));
  }

  @Test
  void waitingForAMissingPositionTimesOut() throws Exception {
    long before = System.nanoTime();

    assertThat(view.await(1, 50)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(49));
  }

  @Test
  void waitingWithoutLimitEndsWhenThePositionIsReached() throws Exception {
    FutureTask<Boolean> waiting = new FutureTask<>(() -> view.awaitWithoutLimit(1));
    Thread.ofVirtual().start(waiting);
    assertThat(view.await(1, 300)).isFalse(); // several of the intervals in which it checks
    assertThat(waiting).isNotDone();

    append(0, 1);

    assertThat(waiting.get()).isTrue();
  }

  @Test
  void waitingWithoutLimitEndsWhenTheViewIsClosed() throws Exception {
    FutureTask<Boolean> waiting = new FutureTask<>(() -> view.awaitWithoutLimit(1));
    Thread.ofVirtual().start(waiting);

    view.close();

    assertThat(waiting.get()).isFalse();
  }

  @Test
  void anUnreadableEventIsParkedAndTheViewContinues() throws Exception {
    projection.unreadable.add("e3");
    String tooLong = "longer than the column allows";

    append(0, 5);
    Journals.append(journal, Journals.draft(tooLong));
    append(5, 8);

    assertThat(view.await(9, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view))
        .containsExactly("e0", "e1", "e2", "e4", "e5", "e6", "e7");
    assertThat(view.status()).isEqualTo(upToDate(9, 2));
    assertThat(view.parked(10)).extracting(ParkedEvent::position).containsExactly(4L, 6L);
    assertThat(view.parked(10).getFirst().error())
        .isEqualTo("IllegalArgumentException: cannot read e3");
    assertThat(view.parked(10).getLast().error()).contains("Value too long");
    assertThat(view.parked(1)).hasSize(1);
  }

  @Test
  void laterEventsOfTheSameCallAreParkedToo() throws Exception {
    projection.unreadable.add("e1");
    appendTo(CALL, "e1", "e2");
    append(10, 12);
    appendTo(CALL, "e3");
    assertThat(view.await(5, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).containsExactly("e10", "e11");
    assertThat(view.parked(10))
        .extracting(
            ParkedEvent::position, ParkedEvent::callId, parkedEvent -> parkedEvent.error() == null)
        .containsExactly(tuple(1L, CALL, false), tuple(2L, CALL, true), tuple(5L, CALL, true));
    assertThat(view.retry(5)).isEqualTo(new ParkedEvent.RetryResult.Blocked(1));
    assertThat(view.retry(1))
        .isEqualTo(new ParkedEvent.RetryResult.Failed("IllegalArgumentException: cannot read e1"));
    assertThat(view.parked(1).getFirst().attempts()).isEqualTo(2);

    projection.unreadable.clear();

    assertThat(view.retry(1)).isEqualTo(new ParkedEvent.RetryResult.Done());
    assertThat(RecordingProjection.payloads(view)).containsExactly("e1", "e2", "e10", "e11", "e3");
    assertThat(view.retry(1)).isEqualTo(new ParkedEvent.RetryResult.NotParked());
    assertThat(view.status()).isEqualTo(upToDate(5, 0));
  }

  @Test
  void discardingAnEventReleasesTheEventsBehindIt() throws Exception {
    projection.unreadable.add("e1");
    appendTo(CALL, "e1", "e2");
    assertThat(view.await(2, TIMEOUT_MILLIS)).isTrue();

    assertThat(view.discard(1)).isTrue();

    assertThat(RecordingProjection.payloads(view)).containsExactly("e2");
    assertThat(view.discard(1)).isFalse();
    assertThat(view.status()).isEqualTo(upToDate(2, 0));
    appendTo(CALL, "e3");
    assertThat(view.await(3, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).containsExactly("e2", "e3");
  }

  @Test
  void parkedEventsSurviveARestart() throws Exception {
    projection.unreadable.add("e1");
    appendTo(CALL, "e1");
    assertThat(view.await(1, TIMEOUT_MILLIS)).isTrue();
    List<ParkedEvent> before = view.parked(10);

    closeViews();
    openViews();
    appendTo(CALL, "e2");

    assertThat(view.await(2, TIMEOUT_MILLIS)).isTrue();
    assertThat(view.parked(10)).hasSize(2).startsWith(before.getFirst());
    assertThat(RecordingProjection.payloads(view)).isEmpty();
  }

  @Test
  void theOldViewAnswersDuringARebuild() throws Exception {
    List<String> expected = new ArrayList<>(append(0, 100));
    assertThat(view.await(100, TIMEOUT_MILLIS)).isTrue();
    projection.failing.add("e50");

    assertThat(view.startRebuild(0)).isInstanceOf(View.RebuildStart.Started.class);
    await()
        .until(() -> {
          RebuildProgress replay = view.status().replay();
          return replay != null && replay.failure() != null;
        });
    expected.addAll(append(100, 110));
    assertThat(view.await(110, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(view.status().state()).isEqualTo(ViewStatus.State.UP_TO_DATE);
    assertThat(view.startRebuild(0)).isInstanceOf(View.RebuildStart.Running.class);
    projection.failing.clear();

    await().until(() -> view.status().replay() == null);
    assertThat(lastOutcome()).isEqualTo(RebuildResult.Outcome.REPLACED);
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_2");
  }

  @Test
  void aRebuildFromAPositionCopiesTheContentBefore() throws Exception {
    append(0, 100);
    assertThat(view.await(100, TIMEOUT_MILLIS)).isTrue();
    view.read(connection -> {
      connection.createStatement().execute("UPDATE payloads SET payload = payload || '!'");
      connection.commit();
      return true;
    });

    assertThat(view.startRebuild(97)).isInstanceOf(View.RebuildStart.Started.class);
    await().until(() -> view.status().replay() == null);

    assertThat(RecordingProjection.payloads(view).subList(95, 100))
        .containsExactly("e95!", "e96!", "e97", "e98", "e99");
    assertThat(view.startRebuild(101)).isEqualTo(new View.RebuildStart.Beyond(100));
  }

  @Test
  void aCancelledRebuildChangesNothing() throws Exception {
    List<String> expected = append(0, 100);
    assertThat(view.await(100, TIMEOUT_MILLIS)).isTrue();
    assertThat(view.cancelRebuild()).isFalse();
    projection.failing.add("e50");
    view.startRebuild(0);

    assertThat(view.cancelRebuild()).isTrue();

    assertThat(lastOutcome()).isEqualTo(RebuildResult.Outcome.CANCELLED);
    assertThat(view.status().state()).isEqualTo(ViewStatus.State.UP_TO_DATE);
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  @Test
  void aFailedRebuildReportsItsError() throws Exception {
    List<String> expected = append(0, 10);
    assertThat(view.await(10, TIMEOUT_MILLIS)).isTrue();
    try (Connection other = views.connect()) {
      other.createStatement().execute("DROP TABLE memory_1.parked"); // a rebuild copies this table
      other.commit();
    }

    view.startRebuild(5);
    await().until(() -> view.status().replay() == null);

    assertThat(lastOutcome()).isEqualTo(RebuildResult.Outcome.FAILED);
    assertThat(view.status().lastReplay())
        .extracting(RebuildResult::error)
        .isEqualTo("the database of the views failed: see the log of this node");
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  private RebuildResult.Outcome lastOutcome() {
    return Objects.requireNonNull(view.status().lastReplay()).outcome();
  }

  @Test
  void anInterruptedRebuildChangesNothing() throws Exception {
    List<String> expected = append(0, 100);
    assertThat(view.await(100, TIMEOUT_MILLIS)).isTrue();
    closeViews();
    try (Connection connection =
        DriverManager.getConnection("jdbc:h2:" + directory.resolve("views"))) {
      connection
          .createStatement()
          .execute("CREATE SCHEMA memory_2"); // as a killed process leaves it
    }

    openViews();

    assertThat(view.await(100, TIMEOUT_MILLIS)).isTrue();
    assertThat(RecordingProjection.payloads(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  @Test
  void aRebuildRetriesParkedEvents() throws Exception {
    projection.unreadable.add("e1");
    appendTo(CALL, "e1", "e2");
    assertThat(view.await(2, TIMEOUT_MILLIS)).isTrue();

    view.startRebuild(2);
    await().until(() -> view.status().replay() == null);
    assertThat(view.parked(10)).hasSize(2);
    projection.unreadable.clear();
    view.startRebuild(1);
    await().until(() -> view.status().replay() == null);

    assertThat(view.status().parked()).isZero();
    assertThat(RecordingProjection.payloads(view)).containsExactly("e1", "e2");
  }

  @Test
  void aNewViewIsIncompleteUntilItHasCaughtUp() throws Exception {
    append(0, 10);
    assertThat(view.await(10, TIMEOUT_MILLIS)).isTrue();
    assertThat(view.isComplete()).isTrue();
    closeViews();
    projection.failing.add("e9");
    projection.setVersion(2);

    openViews();

    assertThat(view.isComplete()).isFalse();
    projection.failing.clear();
    assertThat(view.await(10, TIMEOUT_MILLIS)).isTrue();
    assertThat(view.isComplete()).isTrue();
  }

  private static ViewStatus upToDate(long position, long parked) {
    return new ViewStatus(
        "memory", position, 0, ViewStatus.State.UP_TO_DATE, parked, null, null, null);
  }

  @Test
  void aViewOfAnEarlierVersionIsDropped() throws Exception {
    RecordingProjection earlier = new RecordingProjection("memories");
    View.follow(views, journal, earlier, new EventReader()).close();
    assertThat(schemas()).containsExactlyInAnyOrder("MEMORIES_1", "MEMORY_1");

    views.dropAllBut(List.of(view));

    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  private List<String> schemas() throws SQLException {
    List<String> schemas = new ArrayList<>();
    try (Connection connection = views.connect();
        ResultSet row = connection.getMetaData().getSchemas()) {
      while (row.next()) {
        schemas.add(Objects.requireNonNull(row.getString(1)));
      }
    }
    return schemas.stream().filter(name -> name.startsWith("MEMOR")).toList();
  }

  private List<String> append(int from, int to) {
    List<String> payloads = IntStream.range(from, to).mapToObj(i -> "e" + i).toList();
    payloads.forEach(payload -> Journals.append(journal, Journals.draft(payload)));
    return payloads;
  }

  private void appendTo(UUID call, String... payloads) {
    Stream.of(payloads)
        .forEach(payload ->
            Journals.append(journal, Journals.draft(payload, new Tag("call", call.toString()))));
  }
}
