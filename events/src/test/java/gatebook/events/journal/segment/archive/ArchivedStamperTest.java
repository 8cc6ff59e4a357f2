package gatebook.events.journal.segment.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.archive.ArchivedStamper.Result;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which archived segments are stamped again in one run, and in the next ones. */
final class ArchivedStamperTest {
  @TempDir Path directory;
  private final BackgroundPace pace = new BackgroundPace();
  private final Map<Long, Result> results = new TreeMap<>();
  private final List<Long> looked = new ArrayList<>();
  private final ArchivedStamper.Stamps<IOException> stamps =
      new ArchivedStamper.Stamps<>() {
        @Override
        public List<Long> firsts() {
          return List.copyOf(results.keySet());
        }

        @Override
        public Result stamp(long first) throws IOException {
          looked.add(first);
          if (first == missing) {
            throw new IOException("it is gone");
          }
          if (first == away) {
            throw new ArchiveFailure("the archive is away");
          }
          return results.getOrDefault(first, Result.REFUSED);
        }
      };
  private long missing;
  private long away;

  @AfterEach
  void close() {
    pace.close();
  }

  private VerifierKey key(String name) {
    LoadedKey<CheckpointKey> made =
        CheckpointKey.loadOrCreate(directory.resolve(name), CheckpointKey.newName());
    return ((LoadedKey.Key<CheckpointKey>) made).key().verifier();
  }

  private List<Long> run(ArchivedStamper stamper, VerifierKey by) throws IOException {
    looked.clear();
    stamper.stamp(by, stamps);
    return List.copyOf(looked);
  }

  @Test
  void stampingRestsLessWhenSeveralSegmentsWait() {
    assertThat(ArchivedStamper.restFactor(1)).isEqualTo(4);
    assertThat(ArchivedStamper.restFactor(2)).isEqualTo(1);
  }

  @Test
  void eachSegmentIsLookedAtOnceForAKey() throws IOException {
    ArchivedStamper stamper = new ArchivedStamper(pace, Duration.ofMinutes(1));
    results.putAll(Map.of(1L, Result.STAMPED, 5L, Result.CURRENT, 9L, Result.REPLACED));
    missing = 7;
    results.put(7L, Result.REFUSED);

    assertThat(run(stamper, key("old"))).containsExactly(1L, 5L, 7L, 9L);
    assertThat(run(stamper, key("old"))).as("what was replaced meanwhile").containsExactly(9L);
    assertThat(run(stamper, key("new"))).hasSize(4);
  }

  @Test
  void runEndsAfterItsTimeAndTheNextContinues() throws IOException {
    ArchivedStamper stamper = new ArchivedStamper(pace, Duration.ZERO);
    results.putAll(Map.of(1L, Result.STAMPED, 5L, Result.CURRENT));

    assertThat(run(stamper, key("old"))).containsExactly(1L);
    assertThat(run(stamper, key("old"))).containsExactly(5L);
    assertThat(run(stamper, key("old"))).isEmpty();
  }

  @Test
  void archiveThatIsAwayEndsTheRun() throws IOException {
    ArchivedStamper stamper = new ArchivedStamper(pace, Duration.ofMinutes(1));
    results.putAll(Map.of(1L, Result.STAMPED, 5L, Result.STAMPED));
    away = 1;

    assertThatThrownBy(() -> run(stamper, key("old"))).isInstanceOf(ArchiveFailure.class);
    assertThat(looked).containsExactly(1L);
    away = 0;
    assertThat(run(stamper, key("old"))).containsExactly(1L, 5L);
  }
}
