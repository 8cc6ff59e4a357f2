package gatebook.api.node.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.DiskLimits;
import gatebook.events.DiskLevelChanged;
import gatebook.events.DiskLevelChanged.Disk;
import gatebook.events.DiskLevelChanged.Level;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DiskWatchTest {
  private long free = 100_000;
  private boolean canRecord = true;
  private final List<DiskLevelChanged> recorded = new ArrayList<>();
  private final DiskSpace diskSpace = () -> Optional.of(new DiskSpace.Usage(100_000 - free, free));
  private final DiskWatch diskWatch =
      new DiskWatch(
          Disk.JOURNAL,
          diskSpace,
          new DiskLimits(80, 90, 1_000),
          () -> Optional.of(4_000L),
          changed -> canRecord && recorded.add(changed));

  @Test
  void eachCrossingIsRecordedOnce() {
    assertThat(levelsAt(20_001)).isEmpty();
    assertThat(levelsAt(20_000)).containsExactly(Level.WARNING);
    assertThat(levelsAt(20_001, 20_000, 20_900)).isEmpty();
    assertThat(levelsAt(10_000, 10_001)).containsExactly(Level.URGENT);
    assertThat(levelsAt(1_000)).isEmpty();
    assertThat(levelsAt(999, 1_000, 1_124)).containsExactly(Level.RESERVE);
    assertThat(levelsAt(1_125)).containsExactly(Level.URGENT);
    assertThat(levelsAt(50_000)).containsExactly(Level.NORMAL);
    assertThat(levelsAt(999)).containsExactly(Level.RESERVE);
    assertThat(recorded)
        .containsExactly(
            new DiskLevelChanged(Disk.JOURNAL, Level.RESERVE, 99_001, 100_000, 4_000L));
  }

  @Test
  void theWarningHasTheDaysLeft() {
    levelsAt(50_000);
    assertThat(diskWatch.warning()).isEmpty();
    levelsAt(14_000);

    assertThat(diskWatch.warning())
        .contains("86 % of the disk of the journal are used, 3.5 days are left at today's growth");
    assertThat(diskWatch.usedRatio()).isEqualTo(0.86);
    assertThat(diskWatch.secondsLeft()).isEqualTo(3.5 * 86_400);
  }

  @Test
  void aChangeThatIsNotRecordedIsTriedAgain() {
    canRecord = false;
    assertThat(levelsAt(15_000, 15_000)).isEmpty();
    canRecord = true;
    assertThat(levelsAt(15_000, 15_000)).containsExactly(Level.WARNING);
  }

  @Test
  void belowTheReserveNothingIsForwarded() {
    long[] nanos = {0};
    DiskReserve diskReserve = new DiskReserve(diskSpace, 1_000, () -> nanos[0]);
    assertThat(diskReserve.get()).isEmpty();

    for (long left : new long[] {999, 1_000}) {
      free = left;
      nanos[0] += TimeUnit.SECONDS.toNanos(1);
      assertThat(diskReserve.get())
          .isEqualTo(
              left < 1_000
                  ? Optional.of(new ServiceUnavailable(Cause.DISK_RESERVE, null))
                  : Optional.empty());
    }
  }

  private List<Level> levelsAt(long... freeBytes) {
    recorded.clear();
    for (long bytes : freeBytes) {
      free = bytes;
      diskWatch.check();
    }
    return recorded.stream().map(DiskLevelChanged::level).toList();
  }
}
