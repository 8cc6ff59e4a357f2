package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Views of a process that was killed: wherever it was, they go on from what its file has, and their
 * content is that of views that were never interrupted.
 */
@Timeout(600)
final class KilledViewsTest {
  private static final int APPENDS = Proof.rounds(1_500, 30_000);
  private static final int QUEUED_MAX = 100;
  private static final long SAVE_MILLIS = 5;
  private static final int KILLS = Proof.rounds(5, 100);

  @TempDir private Path directory;

  @Test
  void killedViewsAreContinuedExactly() throws Exception {
    long seed = Proof.seed();
    SplittableRandom random = new SplittableRandom(seed);
    WrittenFile.register();
    try (Journal journal = Journals.opened(Journals.inSegments(directory))) {
      Map<String, List<String>> expected = followed(journal, random);
      for (int kill = 0; kill < KILLS; kill++) {
        int writes = 1 + random.nextInt(WrittenFile.writes());
        Path file = directory.resolve("killed.mv.db");
        WrittenFile.copy(writes, file);
        assertThat(continued(journal, directory.resolve("killed")))
            .as("seed %d, kill %d after %d writes", seed, kill, writes)
            .isEqualTo(expected);
      }
    }
  }

  /** Views that follow the journal while it grows, in the file whose writes are remembered. */
  private Map<String, List<String>> followed(Journal journal, SplittableRandom random)
      throws InterruptedException {
    try (ViewFile file = opened(WrittenFile.SCHEME, directory.resolve("views"))) {
      List<View> views = ViewContents.follow(file, journal);
      RandomEvents randomEvents = new RandomEvents(random.split());
      for (int i = 0; i < APPENDS; i++) {
        CompletableFuture<Append> append =
            journal.append(ConflictCondition.none(), randomEvents.next());
        if (i % QUEUED_MAX == 0) {
          append.join();
        }
      }
      journal.append(ConflictCondition.none(), randomEvents.next()).join();
      return contents(journal, views);
    }
  }

  private Map<String, List<String>> continued(Journal journal, Path killed)
      throws InterruptedException {
    try (ViewFile file = opened("steady", killed)) {
      return contents(journal, ViewContents.follow(file, journal));
    }
  }

  private static Map<String, List<String>> contents(Journal journal, List<View> views)
      throws InterruptedException {
    for (View view : views) {
      assertThat(view.await(journal.head(), 120_000)).isTrue();
    }
    Map<String, List<String>> contents = ViewContents.of(views);
    views.forEach(View::close);
    return contents;
  }

  private static ViewFile opened(String scheme, Path file) {
    return ((ViewFile.Opening.Opened) ViewFile.open(scheme, file, SAVE_MILLIS)).views();
  }
}
