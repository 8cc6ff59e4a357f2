package gatebook.events.journal.segment.archive;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which objects of the archive no mark names, once a day: an attempt to move a segment that
 * was killed left them, or another journal has the same archive. So none is removed.
 */
public final class UnnamedObjects {
  private static final Logger log = LoggerFactory.getLogger(UnnamedObjects.class);
  private static final Duration EVERY = Duration.ofDays(1);
  private static final int TOLD_MAX = 10;
  private static final Pattern FIRST = Pattern.compile("(\\d{19})[.-].*");

  private long lookedAtNanos;
  private boolean hasLooked;
  private List<String> told = List.of();

  /**
   * Looks when it is due, and tells what it did not tell before.
   *
   * @param named the objects that marks name
   * @param isMovedLater whether the events from a position on may still be moved, perhaps under the
   *     names that are there already
   */
  public void tell(SegmentArchive archive, Names named, LongPredicate isMovedLater)
      throws IOException {
    if (hasLooked && System.nanoTime() - lookedAtNanos < EVERY.toNanos()) {
      return;
    }
    Set<String> names = named.get();
    if (names.isEmpty()) {
      return; // nothing was moved yet
    }
    List<String> unnamed =
        archive.names().stream()
            .filter(name -> !names.contains(name) && !isMovedLater(name, isMovedLater))
            .toList();
    hasLooked = true;
    lookedAtNanos = System.nanoTime();
    if (!unnamed.isEmpty() && !unnamed.equals(told)) {
      log.atWarn()
          .addKeyValue("archive", archive.target().describe())
          .addKeyValue("objects", unnamed.size())
          .addKeyValue("first", unnamed.stream().limit(TOLD_MAX).toList())
          .log(
              "the archive has objects that this journal does not use: remove them when no other"
                  + " journal has this archive");
    }
    told = unnamed;
  }

  /** Reads the names of objects. */
  @FunctionalInterface
  public interface Names {
    Set<String> get() throws IOException;
  }

  private static boolean isMovedLater(String name, LongPredicate isMovedLater) {
    Matcher matcher = FIRST.matcher(name);
    return matcher.matches() && isMovedLater.test(Long.parseLong(matcher.group(1)));
  }
}
