package gatebook.query.projection;

import gatebook.events.journal.Journal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rebuild of a view in a schema of its own, while the old view answers queries. The rebuilt view
 * replaces the old one in one step when it has caught up. Until then, and when the rebuild is
 * cancelled, queries are not affected.
 */
final class ViewRebuild {
  private static final Logger LOG = LoggerFactory.getLogger(ViewRebuild.class);

  private final View view;
  private final Journal journal;
  private final String schema;
  private final long from;
  private final Instant startedAt = Instant.now();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private volatile boolean cancelled;
  private volatile @Nullable ViewBuild fresh;

  private ViewRebuild(View view, Journal journal, String schema, long from) {
    this.view = view;
    this.journal = journal;
    this.schema = schema;
    this.from = from;
  }

  /** Starts the rebuild on a thread of its own. */
  static ViewRebuild start(View view, Journal journal, String schema, long from) {
    ViewRebuild viewRebuild = new ViewRebuild(view, journal, schema, from);
    Thread.ofPlatform().daemon().name("replay-" + view.name()).start(viewRebuild::run);
    return viewRebuild;
  }

  /**
   * Completed when the rebuild has ended: true when the view was replaced, false when it was not.
   */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  void cancel() {
    cancelled = true;
  }

  RebuildProgress progress() {
    ViewBuild build = fresh;
    long position = build == null ? from : build.position();
    long target = journal.head();
    double seconds = Math.max(0.001, Duration.between(startedAt, Instant.now()).toMillis() / 1e3);
    double rate = (position - from) / seconds;
    return new RebuildProgress(
        from,
        position,
        target,
        startedAt.toString(),
        Math.round(rate),
        rate <= 0 ? null : Long.valueOf((long) Math.ceil((target - position) / rate)),
        build == null ? null : build.failure());
  }

  private void run() {
    boolean replaced = false;
    @Nullable String error = null;
    try {
      ViewBuild build = view.startFresh(schema, from);
      fresh = build;
      replaced = view.replaceBy(build, this::isNotCancelled);
    } catch (SQLException | RuntimeException e) {
      LOG.atError()
          .addKeyValue("view", view.name())
          .setCause(e)
          .log("the rebuild of a view failed; the old view stays in use");
      error = message(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      end(replaced, error);
    }
  }

  private static String message(Exception e) {
    return e instanceof SQLException
        ? "the database of the views failed: see the log of this node"
        : e.toString();
  }

  private boolean isNotCancelled() {
    return !cancelled;
  }

  private void end(boolean replaced, @Nullable String error) {
    try {
      if (!replaced) {
        ViewBuild build = fresh;
        if (build != null) {
          build.close();
        }
        view.drop(schema);
      }
    } finally {
      view.rebuildEnded(
          new RebuildResult(
              from,
              startedAt.toString(),
              Instant.now().toString(),
              outcome(replaced, error),
              error));
      ended.complete(replaced);
    }
  }

  private static RebuildResult.Outcome outcome(boolean replaced, @Nullable String error) {
    if (replaced) {
      return RebuildResult.Outcome.REPLACED;
    }
    return error == null ? RebuildResult.Outcome.CANCELLED : RebuildResult.Outcome.FAILED;
  }
}
