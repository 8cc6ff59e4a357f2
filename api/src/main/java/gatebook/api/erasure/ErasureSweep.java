package gatebook.api.erasure;

import java.time.Duration;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes erasures that began, and erases content that is older than it is kept. */
public final class ErasureSweep {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureSweep.class);

  public static final Duration PAUSE = Duration.ofHours(1);

  private final ContentErasure contentErasure;
  private final OptionalInt contentDays;

  /**
   * @param contentDays for how many days content is kept; empty when it is kept
   */
  public ErasureSweep(ContentErasure contentErasure, OptionalInt contentDays) {
    this.contentErasure = contentErasure;
    this.contentDays = contentDays;
  }

  /** Sweeps once. */
  public void sweep() throws InterruptedException {
    try {
      contentErasure.finishBegun();
      if (contentDays.isPresent()) {
        expire(contentDays.getAsInt());
      }
    } catch (RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("again_in_minutes", PAUSE.toMinutes())
          .log("content that is older than it is kept cannot be erased now");
    }
  }

  private void expire(int days) throws InterruptedException {
    switch (contentErasure.expire(contentErasure.today().minusDays(days + 1L))) {
      case ErasureResult.Completed(var erasureId, var keys, _) ->
          LOG.atInfo()
              .addKeyValue("erasure_id", erasureId)
              .addKeyValue("keys", keys)
              .log("erased content that was older than it is kept");
      case ErasureResult.Held(_, var holds) ->
          LOG.atInfo()
              .addKeyValue("holds", String.join(", ", holds))
              .log("legal holds keep content that is older than it is kept");
      case ErasureResult.NotDone(var reason) ->
          LOG.atWarn()
              .addKeyValue("reason", reason)
              .log("content that is older than it is kept cannot be erased now");
      case ErasureResult.Unfinished _, ErasureResult.NothingToErase _ -> {
        // logged there, or nothing to say
      }
    }
  }
}
