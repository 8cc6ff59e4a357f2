package gatebook.query.projection;

import gatebook.events.journal.axon.EventPage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.axonframework.messaging.core.Context.ResourceKey;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;

/**
 * Projects one page of events in one transaction of the view, together with the page's position.
 *
 * <p>Axon provides no transactions outside Spring; the phases of the unit of work replace them
 * here.
 */
final class PageTransaction {
  private static final ResourceKey<Boolean> JOINED = ResourceKey.withLabel("view transaction");

  private final ViewWriting writing;
  private final Opener opener;
  private final EventParking eventParking;
  private final Consumer<Throwable> onFailure;
  private final Runnable onCommit;

  private volatile Opened opened;
  private volatile boolean broken;
  private volatile long position;
  private long next;

  /** The view's connection and its stored progress. */
  record Opened(Connection view, ViewProgress progress) {}

  @FunctionalInterface
  interface Opener {
    Opened open() throws SQLException;
  }

  /** A change of the view other than projecting a page. */
  @FunctionalInterface
  interface Correction<T> {
    T apply(Connection view) throws SQLException;
  }

  PageTransaction(
      ViewWriting writing,
      Opener opener,
      EventParking eventParking,
      Consumer<Throwable> onFailure,
      Runnable onCommit)
      throws SQLException {
    this.writing = writing;
    this.opener = opener;
    this.eventParking = eventParking;
    this.onFailure = onFailure;
    this.onCommit = onCommit;
    this.opened = opener.open();
    this.position = opened.progress.position();
    eventParking.open(opened.view);
  }

  /**
   * The position to continue from. Reopens the view when the engine has closed the file, which
   * happens when a disk is full; the position is then the one that the file still holds.
   */
  long resume() throws SQLException {
    if (broken) {
      close();
      opened = opener.open();
      position = opened.progress.position();
      eventParking.open(opened.view);
      broken = false;
    }
    return position;
  }

  void close() {
    writing.close(opened.view);
  }

  /** The position of the view: everything up to it is committed. */
  long position() {
    return position;
  }

  /** The position from which on the view is complete. */
  long completeFrom() {
    return opened.progress.completeFrom();
  }

  void project(EventPage eventPage, ProcessingContext context) throws SQLException {
    join(context);
    eventParking.project(opened.view, eventPage.events());
  }

  void moveTo(long newPosition, ProcessingContext context) {
    join(context);
    next = newPosition;
    try {
      opened.progress.moveTo(newPosition);
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  /** Applies a correction between two pages and commits it. */
  <T> T correct(Correction<T> correction) throws SQLException {
    return writing.change(() -> {
      try {
        T result = correction.apply(opened.view);
        opened.view.commit();
        eventParking.open(opened.view);
        return result;
      } catch (SQLException | RuntimeException e) {
        rollback(e);
        throw e;
      }
    });
  }

  private void join(ProcessingContext context) {
    context.computeResourceIfAbsent(
        JOINED,
        () -> {
          writing.begin();
          AtomicBoolean held = new AtomicBoolean(true);
          context.onError((_, _, error) -> onError(error));
          context.runOnCommit(_ -> commit());
          context.runOnAfterCommit(_ -> onCommit.run());
          context.doFinally(_ -> {
            if (held.getAndSet(false)) {
              writing.end();
            }
          });
          return true;
        });
  }

  private void commit() {
    try {
      opened.view.commit();
      position = next;
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  private void onError(Throwable error) {
    onFailure.accept(error);
    rollback(error);
  }

  private void rollback(Throwable error) {
    try {
      opened.view.rollback();
      eventParking.open(opened.view);
    } catch (SQLException e) {
      broken = true;
      error.addSuppressed(e);
    }
  }
}
