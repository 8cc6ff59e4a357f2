package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.events.Proof;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.TestDrops;
import gatebook.events.kept.KeptEvents;
import gatebook.query.errors.KeptCounts;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import gatebook.query.trend.RecordedTime;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rebuilt view has the same content as the view it replaced, whether it was rebuilt completely or
 * from any position.
 */
@Timeout(300)
final class RebuiltViewsTest {
  private static final int APPENDS = 400;
  private static final int SEGMENT_BYTES = 60_000;
  private static final int REBUILDS = Proof.rounds(3, 9);

  @TempDir private Path directory;

  private Journal journal;
  private ViewFile file;
  private List<View> views;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.withSegments(Journals.inSegments(directory), SEGMENT_BYTES));
    file = opened("views");
    views = ViewContents.follow(file, journal);
  }

  @AfterEach
  void close() {
    views.forEach(View::close);
    file.close();
    journal.close();
  }

  @Test
  void aRebuiltViewHasTheSameContent() throws Exception {
    long seed = Proof.seed();
    SplittableRandom random = new SplittableRandom(seed);
    RandomEvents randomEvents =
        random.nextBoolean() ? new RandomEvents(random) : RandomEvents.crowded(random);
    for (int rebuild = 0; rebuild < REBUILDS; rebuild++) {
      append(randomEvents, random.nextInt(APPENDS));
      awaitHead();
      for (View view : views) {
        assertThat(view.startRebuild(random.nextLong(view.position() + 1)))
            .as("seed %d", seed)
            .isInstanceOf(View.RebuildStart.Started.class);
      }
      append(randomEvents, random.nextInt(APPENDS));
      if (random.nextBoolean()) {
        drop();
      }
      await().until(() -> views.stream().allMatch(view -> view.status().replay() == null));
    }
    awaitHead();

    assertThat(views).as("seed %d", seed).allMatch(view -> view.status().parked() == 0);
    expectContent(neverRebuilt(), seed);
  }

  /** A view that forgot dropped events has the content of one that never had them. */
  @Test
  void droppedEventsLeaveTheContentOfTheOthers() throws Exception {
    long seed = Proof.seed();
    SplittableRandom random = new SplittableRandom(seed);
    RandomEvents randomEvents =
        random.nextBoolean() ? new RandomEvents(random) : RandomEvents.crowded(random);
    for (int drop = 0; drop < REBUILDS; drop++) {
      append(randomEvents, APPENDS);
      awaitHead();
      Map<String, Long> before = KeptCounts.of(views.get(1), new RecordedTime(journal));
      drop();
      awaitHead();

      assertThat(KeptCounts.of(views.get(1), new RecordedTime(journal)))
          .as("seed %d", seed)
          .isEqualTo(before);
    }
    append(randomEvents, APPENDS);
    awaitHead();

    assertThat(views).as("seed %d", seed).allMatch(view -> view.status().parked() == 0);
    expectContent(neverRebuilt(), seed);
  }

  private void expectContent(Map<String, List<String>> expected, long seed) {
    Map<String, List<String>> content = ViewContents.of(views);
    assertThat(content.keySet()).isEqualTo(expected.keySet());
    content.forEach((table, rows) -> {
      var asserted = assertThat(rows).as("%s with seed %d", table, seed);
      if (table.equals("call_blocks")) {
        asserted.containsAll(expected.get(table)); // those with some dropped events stay
      } else {
        asserted.isEqualTo(expected.get(table));
      }
    });
  }

  /** Drops the events of the oldest segment that may be dropped. */
  private void drop() {
    TestDrops.dropOldest(TestDrops.of(journal, new KeptEvents(() -> Instant.MAX)));
  }

  private void append(RandomEvents randomEvents, int appends) {
    for (int i = 0; i < appends; i++) {
      assertThat(journal.append(ConflictCondition.none(), randomEvents.next()).join())
          .isInstanceOf(Append.Stored.class);
    }
  }

  private void awaitHead() throws InterruptedException {
    for (View view : views) {
      assertThat(view.await(journal.head(), 20_000)).isTrue();
    }
  }

  /** The content of views that were never rebuilt. */
  private Map<String, List<String>> neverRebuilt() throws InterruptedException {
    ViewFile other = opened("others");
    List<View> others = ViewContents.follow(other, journal);
    try {
      for (View view : others) {
        assertThat(view.await(journal.head(), 20_000)).isTrue();
      }
      return ViewContents.of(others);
    } finally {
      others.forEach(View::close);
      other.close();
    }
  }

  private ViewFile opened(String name) {
    return ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve(name))).views();
  }
}
