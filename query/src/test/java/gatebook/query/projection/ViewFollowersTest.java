package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.MessagesRefused;
import gatebook.events.Proof;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ViewFollowersTest {
  private static final long TIMEOUT_MILLIS = 120_000;

  /** More than a view that answers queries waits for. */
  private static final int FAR = 2_500;

  @TempDir private Path directory;

  private final List<RecordingProjection> projections =
      Stream.of("one", "two", "three").map(RecordingProjection::new).toList();
  private final List<View> views = new ArrayList<>();
  private final List<String> payloads = new ArrayList<>();
  private Journal journal;
  private ViewFile file;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.inSegments(directory));
    openFile();
  }

  private void openFile() {
    file = ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
  }

  private View follow(Projection projection) {
    View view = View.follow(file, journal, projection, new EventReader());
    views.add(view);
    return view;
  }

  private void followAll() {
    projections.forEach(this::follow);
  }

  @AfterEach
  void close() {
    closeViews();
    journal.close();
  }

  private void closeViews() {
    views.forEach(View::close);
    views.clear();
    file.close();
  }

  @Test
  void anEventForThreeViewsIsReadOnce() throws Exception {
    List<Typed> typed = Stream.of("a", "b", "c").map(Typed::new).toList();
    typed.forEach(this::follow);

    Journals.append(journal, refused(), refused());
    awaitHead();

    assertThat(typed).allSatisfy(one -> assertThat(one.events).hasSize(2));
    assertThat(distinctEvents(typed)).isEqualTo(2);
  }

  @Test
  void aRebuildReadsAnEventOnceMore() throws Exception {
    List<Typed> typed = Stream.of("a", "b", "c").map(Typed::new).toList();
    typed.forEach(this::follow);
    Journals.append(journal, refused());
    awaitHead();

    views.getFirst().startRebuild(0);
    awaitRebuilds();
    Journals.append(journal, refused());
    awaitHead();

    assertThat(typed.getFirst().events).hasSize(3);
    assertThat(distinctEvents(typed)).isEqualTo(3);
  }

  @Test
  void aViewThatAnswersWaitsForAThousandEvents() {
    assertThat(ViewFollowers.isNear(1_000, true)).isTrue();
    assertThat(ViewFollowers.isNear(1_001, true)).isFalse();
    assertThat(ViewFollowers.isNear(100_000, false)).isTrue();
    assertThat(ViewFollowers.isNear(100_001, false)).isFalse();
  }

  @Test
  void viewsOfADeletedFileSoonHaveOneReader() throws Exception {
    List<Typed> typed = Stream.of("a", "b", "c").map(Typed::new).toList();
    Journals.append(
        journal, Stream.generate(ViewFollowersTest::refused).limit(FAR).toArray(DraftEvent[]::new));
    typed.forEach(this::follow);
    awaitHead();

    Journals.append(journal, refused());
    awaitHead();

    assertThat(typed).allSatisfy(one -> assertThat(one.events).hasSize(FAR + 1));
    assertThat(typed.stream().map(one -> System.identityHashCode(one.events.getLast())).distinct())
        .hasSize(1);
  }

  @Test
  void anEventThatNobodyNeedsIsNotRead() throws Exception {
    Typed typed = new Typed("a");
    follow(typed);

    append(1);
    awaitHead();

    assertThat(typed.unread).extracting(Entry::content).containsOnlyNulls().hasSize(1);
  }

  @Test
  void aFailingViewDoesNotStopTheOthers() throws Exception {
    followAll();
    projections.getFirst().failing.add("e5");

    append(10);

    assertThat(views.get(1).await(10, TIMEOUT_MILLIS)).isTrue();
    assertThat(views.get(2).await(10, TIMEOUT_MILLIS)).isTrue();
    await().until(() -> views.getFirst().status().state() == ViewStatus.State.FAILING);
    assertThat(views.getFirst().position()).isLessThan(6);
    append(FAR);
    assertThat(views.get(1).await(journal.head(), TIMEOUT_MILLIS)).isTrue();
    assertThat(views.get(1).status().state()).isEqualTo(ViewStatus.State.UP_TO_DATE);

    projections.getFirst().failing.clear();

    assertAllUpToDate("after the failure");
  }

  @Test
  void allViewsKeepTheirPositionsWhenAllFail() throws Exception {
    followAll();
    append(3);
    awaitHead();
    projections.forEach(projection -> projection.failing.add("e3"));

    append(1);

    await().until(() -> statuses().allMatch(it -> it.state() == ViewStatus.State.FAILING));
    assertThat(statuses()).allMatch(status -> status.position() == 3);
    projections.forEach(projection -> projection.failing.clear());
    assertAllUpToDate("after the failure of all");
  }

  @Test
  void aRebuiltViewDoesNotStopTheOthers() throws Exception {
    followAll();
    append(10);
    awaitHead();
    projections.getFirst().failing.add("e5"); // the rebuild cannot pass it

    views.getFirst().startRebuild(0);
    await()
        .until(() -> {
          RebuildProgress replay = views.getFirst().status().replay();
          return replay != null && replay.failure() != null;
        });
    append(5);
    awaitHead();
    assertThat(statuses()).allMatch(status -> status.state() == ViewStatus.State.UP_TO_DATE);

    projections.getFirst().failing.clear();
    awaitRebuilds();
    append(5);
    assertAllUpToDate("after the rebuild");
  }

  @Test
  void viewsContinueFromTheirOwnPositions() throws Exception {
    append(10);
    follow(projections.getFirst());
    awaitHead();
    reopen();
    append(10); // near the first view
    follow(projections.get(1));
    awaitHead();
    reopen();
    append(FAR); // far from both
    follow(projections.get(2));
    awaitHead();
    reopen();

    followAll();

    assertThat(views.getFirst().position()).isGreaterThanOrEqualTo(10);
    assertAllUpToDate("after they were opened");
    append(5);
    assertAllUpToDate("after they were joined");
  }

  private void reopen() {
    closeViews();
    openFile();
  }

  /** Views that fail, are rebuilt, and are opened at different positions, at any time. */
  @Test
  void randomHistoriesLoseAndDoubleNothing() throws Exception {
    long seed = Proof.seed();
    SplittableRandom random = new SplittableRandom(seed);
    followAll();
    for (int step = 0; step < Proof.rounds(50, 150); step++) {
      RecordingProjection projection = projections.get(random.nextInt(projections.size()));
      switch (random.nextInt(6)) {
        case 0 -> projection.failing.add("e" + (payloads.size() + random.nextInt(20)));
        case 1 -> projections.forEach(one -> one.failing.clear());
        case 2 -> views.forEach(view -> view.startRebuild(random.nextLong(view.position() + 1)));
        case 3 -> {
          reopen();
          follow(projection);
        }
        case 4 -> {
          reopen();
          followAll();
        }
        default -> append(random.nextInt(4) == 0 ? random.nextInt(FAR) : random.nextInt(50));
      }
    }
    projections.forEach(projection -> projection.failing.clear());
    reopen();
    followAll();

    assertAllUpToDate("seed " + seed);
  }

  private void append(int count) {
    List<String> added =
        IntStream.range(payloads.size(), payloads.size() + count).mapToObj(i -> "e" + i).toList();
    payloads.addAll(added);
    if (count > 0) {
      journal.append(ConflictCondition.none(), added.stream().map(Journals::draft).toList()).join();
    }
  }

  private Stream<ViewStatus> statuses() {
    return views.stream().map(View::status);
  }

  private void awaitHead() throws InterruptedException {
    for (View view : views) {
      assertThat(view.await(journal.head(), TIMEOUT_MILLIS)).isTrue();
    }
  }

  private void awaitRebuilds() {
    await().until(() -> statuses().allMatch(status -> status.replay() == null));
  }

  private void assertAllUpToDate(String when) throws InterruptedException {
    awaitHead();
    for (View view : views) {
      assertThat(view.status().parked()).as(when).isZero();
      assertThat(RecordingProjection.payloads(view)).as(when).isEqualTo(payloads);
    }
  }

  private static int distinctEvents(List<Typed> projections) {
    Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    projections.forEach(projection -> distinct.addAll(projection.events));
    return distinct.size();
  }

  /** An event that this process has only as bytes, as after a start. */
  private static DraftEvent refused() {
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        "gatebook.MessagesRefused",
        "1",
        Instant.now(),
        Set.of(),
        new EventVocabulary().write(new MessagesRefused(Instant.EPOCH, Instant.EPOCH, List.of())),
        new byte[] {'{', '}'});
  }

  /** Records the events that it gets, and the entries of those that it does not need. */
  static final class Typed implements Projection {
    private final List<MessagesRefused> events = new CopyOnWriteArrayList<>();
    private final List<Entry> unread = new CopyOnWriteArrayList<>();
    private final String name;

    Typed(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public List<ViewTable> tables() {
      return List.of();
    }

    @Override
    public RecordingProjection.Rows rows(Connection view) {
      return new RecordingProjection.Rows(view);
    }

    @ProjectionHandler
    void on(MessagesRefused event) {
      events.add(event);
    }

    @ProjectionHandler(eventName = "test.Happened")
    void onHappened(Entry entry) {
      unread.add(entry);
    }
  }
}
