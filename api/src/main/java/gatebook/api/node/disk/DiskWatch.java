package gatebook.api.node.disk;

import gatebook.api.data.DiskLimits;
import gatebook.events.DiskLevelChanged;
import gatebook.events.DiskLevelChanged.Disk;
import gatebook.events.DiskLevelChanged.Level;
import gatebook.events.journal.storage.RepeatedTask;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a disk, and records once when it becomes fuller than a limit or emptier again. It counts
 * as emptier only when it clearly is, so that a disk at a limit is not told again and again.
 */
public final class DiskWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  /** Computing the growth reads the journal. */
  private static final long CHECKS_OF_ONE_GROWTH = 12;

  private static final double CLEARLY_RATIO = 0.01;
  private static final double CLEARLY_FREE = 1.125;

  private final Disk disk;
  private final DiskSpace diskSpace;
  private final DiskLimits diskLimits;
  private final Supplier<Optional<Long>> growthBytesPerDay;
  private final Predicate<DiskLevelChanged> recorder;
  private final RepeatedTask watching = new RepeatedTask("disk-watch", EVERY, this::checkSafely);
  private Optional<Long> growth = Optional.empty();
  private long checks;
  private volatile Seen seen = new Seen(Level.NORMAL, Optional.empty(), Optional.empty());

  /** How the disk looked last. */
  private record Seen(Level level, Optional<DiskSpace.Usage> usage, Optional<Long> growth) {
    Optional<Double> daysLeft() {
      return usage.flatMap(
          it -> growth.filter(bytes -> bytes > 0).map(bytes -> (double) it.freeBytes() / bytes));
    }
  }

  /**
   * Watches once {@link #start} was called.
   *
   * @param growthBytesPerDay of the journal on this disk; empty where it is not known
   * @param recorder whether it could record the event
   */
  public DiskWatch(
      Disk disk,
      DiskSpace diskSpace,
      DiskLimits diskLimits,
      Supplier<Optional<Long>> growthBytesPerDay,
      Predicate<DiskLevelChanged> recorder) {
    this.disk = disk;
    this.diskSpace = diskSpace;
    this.diskLimits = diskLimits;
    this.growthBytesPerDay = growthBytesPerDay;
    this.recorder = recorder;
  }

  public DiskWatch start() {
    watching.start();
    return this;
  }

  /** The used part, from 0 to 1; not a number where it is unknown. */
  public double usedRatio() {
    return seen.usage().map(DiskSpace.Usage::usedRatio).orElse(Double.NaN);
  }

  /** The seconds until the disk is full at today's growth; not a number where that is unknown. */
  public double secondsLeft() {
    return seen.daysLeft().map(it -> it * TimeUnit.DAYS.toSeconds(1)).orElse(Double.NaN);
  }

  /** What an operator has to know; empty while the disk is not full enough. */
  public Optional<String> warning() {
    Seen now = seen;
    return now.level() == Level.NORMAL
        ? Optional.empty()
        : now.usage().map(usage -> sentence(usage, now));
  }

  private String sentence(DiskSpace.Usage usage, Seen now) {
    return String.format(
            Locale.ROOT,
            "%.0f %% of the disk of the %s are used",
            100 * usage.usedRatio(),
            disk.word())
        + now.daysLeft()
            .map(days -> String.format(Locale.ROOT, ", %.1f days are left at today's growth", days))
            .orElse("")
        + (now.level() == Level.RESERVE && disk == Disk.JOURNAL
            ? ": nothing is forwarded until there is room"
            : "");
  }

  private void checkSafely() {
    try {
      check();
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("the disk cannot be looked at now");
    }
  }

  void check() {
    Optional<DiskSpace.Usage> usage = diskSpace.usage();
    Level before = seen.level();
    Level level = usage.map(it -> level(it, before)).orElse(before);
    if (checks++ % CHECKS_OF_ONE_GROWTH == 0) {
      growth = growthBytesPerDay.get();
    }
    Seen now = new Seen(level, usage, growth);
    if (usage.isPresent() && level != before && !recorded(usage.get(), now)) {
      now = new Seen(before, usage, now.growth()); // the next check tries again
    }
    seen = now;
  }

  private boolean recorded(DiskSpace.Usage usage, Seen now) {
    boolean isRecorded =
        recorder.test(
            new DiskLevelChanged(
                disk,
                now.level(),
                usage.usedBytes(),
                usage.totalBytes(),
                now.growth().orElse(null)));
    if (isRecorded) {
      (now.level() == Level.NORMAL ? LOG.atInfo() : LOG.atWarn())
          .addKeyValue("level", now.level().word())
          .log(sentence(usage, now));
    }
    return isRecorded;
  }

  private Level level(DiskSpace.Usage usage, Level before) {
    Level fuller = level(usage, 0, 1);
    Level emptier = level(usage, CLEARLY_RATIO, CLEARLY_FREE);
    return fuller.compareTo(before) >= 0 ? fuller : min(emptier, before);
  }

  private static Level min(Level one, Level other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private Level level(DiskSpace.Usage usage, double ratioMore, double freeTimes) {
    double ratio = usage.usedRatio() + ratioMore;
    if (usage.freeBytes() < diskLimits.reserveBytes() * freeTimes) {
      return Level.RESERVE;
    }
    if (ratio >= diskLimits.urgentPercent() / 100.0) {
      return Level.URGENT;
    }
    return ratio >= diskLimits.warningPercent() / 100.0 ? Level.WARNING : Level.NORMAL;
  }

  @Override
  public void close() {
    watching.close();
  }
}
