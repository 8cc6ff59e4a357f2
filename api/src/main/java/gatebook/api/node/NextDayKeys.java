package gatebook.api.node;

import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the content keys of the next day in the two hours before it (UTC), for those who have
 * content on this day. Else the first call of each principal after midnight waits for its key.
 */
final class NextDayKeys {
  private static final Logger LOG = LoggerFactory.getLogger(NextDayKeys.class);

  /** The time before midnight over which the keys are spread. */
  static final Duration AHEAD = Duration.ofHours(2);

  static final Duration PAUSE = Duration.ofMinutes(1);

  /** A call that needs a key of its own waits for at most one such write. */
  private static final int KEYS_PER_WRITE = 1_000;

  private final ContentKeyStore contentKeys;
  private final Supplier<GatewayLimits> limits;
  private final InstantSource clock;

  NextDayKeys(ContentKeyStore contentKeys, Supplier<GatewayLimits> limits, InstantSource clock) {
    this.contentKeys = contentKeys;
    this.limits = limits;
    this.clock = clock;
  }

  /** Makes the share of this moment. */
  void makeShare() {
    Instant now = clock.instant();
    LocalDate nextDay = LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(1);
    Duration left = Duration.between(now, nextDay.atStartOfDay(ZoneOffset.UTC).toInstant());
    if (left.compareTo(AHEAD) > 0) {
      return;
    }
    try {
      ContentKeyStore.DueKeys due = contentKeys.dueKeys(nextDay);
      long rounds = Math.max(1, left.dividedBy(PAUSE));
      long share = Math.ceilDiv(due.owners(), rounds);
      make(nextDay, Math.min(share, limits.get().get(Limit.CONTENT_KEYS_AHEAD_MAX) - due.made()));
    } catch (KeysUnavailable e) {
      LOG.atWarn()
          .setCause(e)
          .log("no content keys of the next day can be made now: they are made when needed");
    }
  }

  private void make(LocalDate day, long keys) {
    long missing = keys;
    while (missing > 0) {
      int made = contentKeys.makeDueKeys(day, (int) Math.min(missing, KEYS_PER_WRITE));
      missing = made == 0 ? 0 : missing - made;
    }
  }
}
