package gatebook.events.journal.segment.archive;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stamps archived segments again whose stamps settle nothing, as those by a key that was replaced.
 * As on the disk, a segment is stamped when it was read: what the old key signed is not believed.
 * The new stamp is beside the journal; the archive stays as it is.
 *
 * <p>It rests up to four times as long as it works, and works for so long at most that the next
 * segments are moved in time. It belongs to one thread. A process that is killed begins again with
 * the segment that it read.
 */
public final class ArchivedStamper {
  private static final Logger log = LoggerFactory.getLogger(ArchivedStamper.class);

  private final BackgroundPace pace;
  private final Duration runTime;

  /** The first positions of the segments that need not be looked at again for a key. */
  private final Set<Long> seen = new HashSet<>();

  private @Nullable VerifierKey seenFor;

  /**
   * @param runTime after so long no other segment is begun
   */
  public ArchivedStamper(BackgroundPace pace, Duration runTime) {
    this.pace = pace;
    this.runTime = runTime;
  }

  /** The archived segments of a journal with their stamps, which are in files or in rows. */
  public interface Stamps<E extends Exception> {
    /** The first positions of all, ascending. */
    List<Long> firsts() throws E, IOException;

    /** Stamps one again when its stamp is not by the key of now. */
    Result stamp(long first) throws E, IOException;

    /** Whether another one may be begun; lets go first what should not wait for all of them. */
    default boolean mayGoOn() throws E {
      return true;
    }
  }

  /** What became of a stamp. */
  public enum Result {
    /** It is by the key of now. */
    CURRENT,

    STAMPED,

    /** The segment is not as it was written, and has no stamp. */
    REFUSED,

    /** The segment was dropped, or its stamp was replaced, while it was read. */
    REPLACED
  }

  /** Stamps some of the segments that need it, the oldest first. */
  public <E extends Exception> void stamp(VerifierKey key, Stamps<E> stamps) throws E, IOException {
    if (seenFor == null || !seenFor.isSameKey(key)) {
      seen.clear();
      seenFor = key;
    }
    List<Long> unseen = new ArrayList<>(stamps.firsts());
    unseen.removeAll(seen);
    long begin = System.nanoTime();
    long stamped = 0;
    for (int i = 0; i < unseen.size() && !pace.isClosedAfterRest(); i++) {
      boolean isOver = System.nanoTime() - begin >= runTime.toNanos();
      if (i > 0 && (isOver || !stamps.mayGoOn())) {
        break;
      }
      pace.begin(restFactor(unseen.size() - i));
      stamped += stamp(unseen.get(i), stamps) == Result.STAMPED ? 1 : 0;
    }
    if (stamped > 0) {
      log.atInfo()
          .addKeyValue("segments", stamped)
          .addKeyValue("key", key.label())
          .log("archived segments of the journal were stamped again");
    }
  }

  /** The ratio of rest to work, lower when several segments wait. */
  static int restFactor(int waiting) {
    return waiting > 1 ? 1 : 4;
  }

  /** An archive that cannot be used fails; a segment that cannot be read is told, and stays. */
  private <E extends Exception> Result stamp(long first, Stamps<E> stamps) throws E, IOException {
    Result result = Result.REFUSED;
    String why = "it is not as it was written: verify the journal";
    try {
      result = stamps.stamp(first);
    } catch (ArchiveFailure e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      why = StorageFailure.describe(e);
    }
    if (result != Result.REPLACED) {
      seen.add(first);
    }
    if (result == Result.REFUSED && !pace.isClosed()) {
      log.atWarn()
          .addKeyValue("first", first)
          .addKeyValue("reason", why)
          .log("an archived segment of the journal gets no stamp");
    }
    return result;
  }
}
