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
 * The making of a view beside the one that answers. When it has caught up, it takes that one's
 * place in one step; until then, and when it is cancelled, nobody who asks notices.
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
  private volatile @Nullable ProjectionFollower fresh;

  private ViewRebuild(View view, Journal journal, String schema, long from) {
    this.view = view;
    this.journal = journal;
    this.schema = schema;
    this.from = from;
  }

  /** Begins on a thread of its own. */
  static ViewRebuild begin(View view, Journal journal, String schema, long from) {
    ViewRebuild viewRebuild = new ViewRebuild(view, journal, schema, from);
    Thread.ofPlatform().daemon().name("replay-" + view.name()).start(viewRebuild::run);
    return viewRebuild;
  }

  /** True when the view was replaced, false when it was not. */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  void cancel() {
    cancelled = true;
  }

  RebuildProgress progress() {
    ProjectionFollower following = fresh;
    long position = following == null ? from : following.position();
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
        following == null ? null : following.failure());
  }

  private void run() {
    boolean replaced = false;
    @Nullable String error = null;
    try {
      ProjectionFollower made = view.madeBeside(schema, from);
      fresh = made;
      replaced = view.replaceBy(made, this::isWanted);
    } catch (SQLException | RuntimeException e) {
      LOG.atError().addKeyValue("view", view.name()).setCause(e).log("a view was not made anew");
      error = words(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      end(replaced, error);
    }
  }

  private static String words(Exception e) {
    return e instanceof SQLException
        ? "the database of the views failed: see the log of this node"
        : e.toString();
  }

  private boolean isWanted() {
    return !cancelled;
  }

  private void end(boolean replaced, @Nullable String error) {
    try {
      if (!replaced) {
        ProjectionFollower made = fresh;
        if (made != null) {
          made.close();
        }
        view.drop(schema);
      }
    } finally {
      view.replayed(
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
