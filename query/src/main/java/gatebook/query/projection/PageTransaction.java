package gatebook.query.projection;

import gatebook.events.journal.axon.EventPage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.axonframework.messaging.core.Context.ResourceKey;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;

/**
 * One page of events in one transaction of the view, together with the position it leads to.
 *
 * <p>Axon has no transactions outside Spring: the unit of work's phases stand in for them here.
 */
final class PageTransaction {
  private static final ResourceKey<Boolean> JOINED = ResourceKey.withLabel("view transaction");

  private final Opener opener;
  private final EventParking eventParking;
  private final Consumer<Throwable> onFailure;
  private final Runnable onCommit;

  /** Pages and operators' corrections take turns; a unit of work may change its thread. */
  private final Semaphore turn = new Semaphore(1);

  private volatile Opened opened;
  private volatile boolean broken;
  private volatile long position;
  private long next;

  /** The view as it lies in the file, on a connection of its own. */
  record Opened(Connection view, ViewProgress progress) {}

  @FunctionalInterface
  interface Opener {
    Opened open() throws SQLException;
  }

  /** Something done to the view besides its following the journal. */
  @FunctionalInterface
  interface Correction<T> {
    T make(Connection view) throws SQLException;
  }

  PageTransaction(
      Opener opener, EventParking eventParking, Consumer<Throwable> onFailure, Runnable onCommit)
      throws SQLException {
    this.opener = opener;
    this.eventParking = eventParking;
    this.onFailure = onFailure;
    this.onCommit = onCommit;
    this.opened = opener.open();
    this.position = opened.progress.position();
    eventParking.open(opened.view);
  }

  /**
   * Where to go on from. When the engine closed the file under us, as it does when a disk is full,
   * that is what the file still holds.
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
    try {
      opened.view.close();
    } catch (SQLException _) {
      // then it was closed before
    }
  }

  /** How far the view has come; what it holds is committed up to here. */
  long position() {
    return position;
  }

  /** From this position on, the view holds all that it is asked for. */
  long wholeFrom() {
    return opened.progress.wholeFrom();
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

  /** Makes a change between two pages. */
  <T> T correct(Correction<T> correction) throws SQLException {
    turn.acquireUninterruptibly();
    try {
      T made = correction.make(opened.view);
      opened.view.commit();
      eventParking.open(opened.view);
      return made;
    } catch (SQLException | RuntimeException e) {
      rollback(e);
      throw e;
    } finally {
      turn.release();
    }
  }

  private void join(ProcessingContext context) {
    context.computeResourceIfAbsent(
        JOINED,
        () -> {
          turn.acquireUninterruptibly();
          AtomicBoolean held = new AtomicBoolean(true);
          context.onError((_, _, error) -> failed(error));
          context.runOnCommit(_ -> commit());
          context.runOnAfterCommit(_ -> onCommit.run());
          context.doFinally(_ -> {
            if (held.getAndSet(false)) {
              turn.release();
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

  private void failed(Throwable error) {
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
