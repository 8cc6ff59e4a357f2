package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
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
  private static final long PATIENCE_MILLIS = 120_000;
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");

  @TempDir private Path directory;

  private final Memory memory = new Memory();
  private Journal journal;
  private ViewFile views;
  private View view;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.embedded(directory));
    openViews();
  }

  private void openViews() {
    views = ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
    view = View.follow(views, journal, memory);
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

    assertThat(view.await(1_600, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).isEqualTo(expected);
  }

  @Test
  void aBatchAtWhichTheDatabaseFailsLeavesNothingBehindAndIsTriedAgain() throws Exception {
    memory.breaking.add("e7");
    List<String> expected = append(0, 10);
    await().until(() -> view.standing().state() == ViewStatus.State.FAILING);
    assertThat(view.standing().failure()).isEqualTo("the database of the views failed");
    assertThat(Memory.of(view)).isEqualTo(expected.subList(0, (int) view.position()));

    memory.breaking.clear();

    assertThat(view.await(10, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(view.standing()).isEqualTo(upToDate(10, 0));
  }

  @Test
  void aViewGoesOnAfterTheEngineClosedItsFile() throws Exception {
    List<String> expected = new ArrayList<>(append(0, 10));
    assertThat(view.await(10, PATIENCE_MILLIS)).isTrue();
    try (Connection connection = views.connect()) {
      connection.createStatement().execute("SHUTDOWN IMMEDIATELY"); // as after a failed write
    }

    expected.addAll(append(10, 20));

    assertThat(view.await(20, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(view.standing()).isEqualTo(upToDate(20, 0));
  }

  @Test
  void waitingEndsWithoutWhatNeverComes() throws Exception {
    long before = System.nanoTime();

    assertThat(view.await(1, 50)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(49));
  }

  @Test
  void whatCannotBeTakenInIsPutAsideAndTheViewGoesOn() throws Exception {
    memory.poison.add("e3");
    String tooLong = "longer than the column takes";

    append(0, 5);
    Journals.append(journal, Journals.draft(tooLong));
    append(5, 8);

    assertThat(view.await(9, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).containsExactly("e0", "e1", "e2", "e4", "e5", "e6", "e7");
    assertThat(view.standing()).isEqualTo(upToDate(9, 2));
    assertThat(view.parked(10)).extracting(ParkedEvent::position).containsExactly(4L, 6L);
    assertThat(view.parked(10).getFirst().error())
        .isEqualTo("IllegalArgumentException: cannot read e3");
    assertThat(view.parked(10).getLast().error()).contains("Value too long");
    assertThat(view.parked(1)).hasSize(1);
  }

  @Test
  void whatComesLaterOfTheSameCallWaitsBehindIt() throws Exception {
    memory.poison.add("e1");
    appendTo(CALL, "e1", "e2");
    append(10, 12);
    appendTo(CALL, "e3");
    assertThat(view.await(5, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).containsExactly("e10", "e11");
    assertThat(view.parked(10))
        .extracting(
            ParkedEvent::position, ParkedEvent::callId, parkedEvent -> parkedEvent.error() == null)
        .containsExactly(tuple(1L, CALL, false), tuple(2L, CALL, true), tuple(5L, CALL, true));
    assertThat(view.retry(5)).isEqualTo(new ParkedEvent.Attempt.Waits(1));
    assertThat(view.retry(1))
        .isEqualTo(new ParkedEvent.Attempt.Failed("IllegalArgumentException: cannot read e1"));
    assertThat(view.parked(1).getFirst().attempts()).isEqualTo(2);

    memory.poison.clear();

    assertThat(view.retry(1)).isEqualTo(new ParkedEvent.Attempt.Done());
    assertThat(Memory.of(view)).containsExactly("e1", "e2", "e10", "e11", "e3");
    assertThat(view.retry(1)).isEqualTo(new ParkedEvent.Attempt.None());
    assertThat(view.standing()).isEqualTo(upToDate(5, 0));
  }

  @Test
  void whatIsDiscardedLetsGoOnWhatWaitedForIt() throws Exception {
    memory.poison.add("e1");
    appendTo(CALL, "e1", "e2");
    assertThat(view.await(2, PATIENCE_MILLIS)).isTrue();

    assertThat(view.discard(1)).isTrue();

    assertThat(Memory.of(view)).containsExactly("e2");
    assertThat(view.discard(1)).isFalse();
    assertThat(view.standing()).isEqualTo(upToDate(2, 0));
    appendTo(CALL, "e3");
    assertThat(view.await(3, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).containsExactly("e2", "e3");
  }

  @Test
  void whatIsParkedStaysParkedThroughARestart() throws Exception {
    memory.poison.add("e1");
    appendTo(CALL, "e1");
    assertThat(view.await(1, PATIENCE_MILLIS)).isTrue();
    List<ParkedEvent> before = view.parked(10);

    closeViews();
    openViews();
    appendTo(CALL, "e2");

    assertThat(view.await(2, PATIENCE_MILLIS)).isTrue();
    assertThat(view.parked(10)).hasSize(2).startsWith(before.getFirst());
    assertThat(Memory.of(view)).isEmpty();
  }

  @Test
  void aViewIsMadeAnewBesideTheOldOneWhichAnswersMeanwhile() throws Exception {
    List<String> expected = new ArrayList<>(append(0, 100));
    assertThat(view.await(100, PATIENCE_MILLIS)).isTrue();
    memory.breaking.add("e50");

    assertThat(view.replay(0)).isInstanceOf(View.Begun.Started.class);
    await()
        .until(() -> {
          RebuildProgress replay = view.standing().replay();
          return replay != null && replay.failure() != null;
        });
    expected.addAll(append(100, 110));
    assertThat(view.await(110, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(view.standing().state()).isEqualTo(ViewStatus.State.UP_TO_DATE);
    assertThat(view.replay(0)).isInstanceOf(View.Begun.Running.class);
    memory.breaking.clear();

    await().until(() -> view.standing().replay() == null);
    assertThat(lastReplay()).isEqualTo(RebuildResult.Outcome.REPLACED);
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_2");
  }

  @Test
  void aReplayFromAPositionTakesOverWhatWasBefore() throws Exception {
    append(0, 100);
    assertThat(view.await(100, PATIENCE_MILLIS)).isTrue();
    view.read(connection -> {
      connection.createStatement().execute("UPDATE payloads SET payload = payload || '!'");
      connection.commit();
      return true;
    });

    assertThat(view.replay(97)).isInstanceOf(View.Begun.Started.class);
    await().until(() -> view.standing().replay() == null);

    assertThat(Memory.of(view).subList(95, 100))
        .containsExactly("e95!", "e96!", "e97", "e98", "e99");
    assertThat(view.replay(101)).isEqualTo(new View.Begun.Beyond(100));
  }

  @Test
  void aReplayThatIsCancelledChangesNothing() throws Exception {
    List<String> expected = append(0, 100);
    assertThat(view.await(100, PATIENCE_MILLIS)).isTrue();
    assertThat(view.cancelReplay()).isFalse();
    memory.breaking.add("e50");
    view.replay(0);

    assertThat(view.cancelReplay()).isTrue();

    assertThat(lastReplay()).isEqualTo(RebuildResult.Outcome.CANCELLED);
    assertThat(view.standing().state()).isEqualTo(ViewStatus.State.UP_TO_DATE);
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  @Test
  void aReplayThatFailsSaysWhy() throws Exception {
    List<String> expected = append(0, 10);
    assertThat(view.await(10, PATIENCE_MILLIS)).isTrue();
    try (Connection other = views.connect()) {
      other.createStatement().execute("DROP TABLE memory_1.parked"); // a replay takes it over
      other.commit();
    }

    view.replay(5);
    await().until(() -> view.standing().replay() == null);

    assertThat(lastReplay()).isEqualTo(RebuildResult.Outcome.FAILED);
    assertThat(view.standing().lastReplay())
        .extracting(RebuildResult::error)
        .isEqualTo("the database of the views failed: see the log of this node");
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  private RebuildResult.Outcome lastReplay() {
    return Objects.requireNonNull(view.standing().lastReplay()).outcome();
  }

  @Test
  void aReplayThatEndedWithItsProcessChangesNothing() throws Exception {
    List<String> expected = append(0, 100);
    assertThat(view.await(100, PATIENCE_MILLIS)).isTrue();
    closeViews();
    try (Connection connection =
        DriverManager.getConnection("jdbc:h2:" + directory.resolve("views"))) {
      connection.createStatement().execute("CREATE SCHEMA memory_2"); // as a process leaves it
    }

    openViews();

    assertThat(view.await(100, PATIENCE_MILLIS)).isTrue();
    assertThat(Memory.of(view)).isEqualTo(expected);
    assertThat(schemas()).containsExactly("MEMORY_1");
  }

  @Test
  void whatIsParkedIsTriedAgainWhenTheViewIsMadeAnew() throws Exception {
    memory.poison.add("e1");
    appendTo(CALL, "e1", "e2");
    assertThat(view.await(2, PATIENCE_MILLIS)).isTrue();

    view.replay(2);
    await().until(() -> view.standing().replay() == null);
    assertThat(view.parked(10)).hasSize(2);
    memory.poison.clear();
    view.replay(1);
    await().until(() -> view.standing().replay() == null);

    assertThat(view.standing().parked()).isZero();
    assertThat(Memory.of(view)).containsExactly("e1", "e2");
  }

  @Test
  void aViewThatIsMadeForTheFirstTimeSaysSoUntilItIsWhole() throws Exception {
    append(0, 10);
    assertThat(view.await(10, PATIENCE_MILLIS)).isTrue();
    assertThat(view.isWhole()).isTrue();
    closeViews();
    memory.breaking.add("e9");
    memory.becomeVersion(2);

    openViews();

    assertThat(view.isWhole()).isFalse();
    memory.breaking.clear();
    assertThat(view.await(10, PATIENCE_MILLIS)).isTrue();
    assertThat(view.isWhole()).isTrue();
  }

  private static ViewStatus upToDate(long position, long parked) {
    return new ViewStatus(
        "memory", position, 0, ViewStatus.State.UP_TO_DATE, parked, null, null, null);
  }

  private List<String> schemas() throws SQLException {
    List<String> schemas = new ArrayList<>();
    try (Connection connection = views.connect();
        ResultSet row = connection.getMetaData().getSchemas()) {
      while (row.next()) {
        schemas.add(Objects.requireNonNull(row.getString(1)));
      }
    }
    return schemas.stream().filter(name -> name.startsWith("MEMORY")).toList();
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
