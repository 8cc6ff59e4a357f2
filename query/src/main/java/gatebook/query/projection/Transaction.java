package gatebook.query.projection;

import gatebook.events.journal.axon.Page;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.axonframework.messaging.core.Context.ResourceKey;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;

/**
 * One page of events in one transaction of the view, together with the position it leads to.
 *
 * <p>Axon has no transactions outside Spring: the unit of work's phases stand in for them here.
 */
final class Transaction {
  private static final ResourceKey<Boolean> JOINED = ResourceKey.withLabel("view transaction");

  private final Opener opener;
  private final Projection projection;
  private final Consumer<Throwable> onFailure;
  private final Runnable onCommit;
  private volatile Opened opened;
  private volatile boolean broken;
  private volatile long position;
  private long next;

  /** The view as it lies in the file, on a connection of its own. */
  record Opened(Connection view, Progress progress) {}

  @FunctionalInterface
  interface Opener {
    Opened open() throws SQLException;
  }

  Transaction(
      Opener opener, Projection projection, Consumer<Throwable> onFailure, Runnable onCommit)
      throws SQLException {
    this.opener = opener;
    this.projection = projection;
    this.onFailure = onFailure;
    this.onCommit = onCommit;
    this.opened = opener.open();
    this.position = opened.progress.position();
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

  void project(Page page, ProcessingContext context) throws SQLException {
    join(context);
    projection.project(opened.view, page.events());
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

  private void join(ProcessingContext context) {
    context.computeResourceIfAbsent(
        JOINED,
        () -> {
          context.onError((_, _, error) -> rollback(error));
          context.runOnCommit(_ -> commit());
          context.runOnAfterCommit(_ -> onCommit.run());
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

  private void rollback(Throwable error) {
    onFailure.accept(error);
    try {
      opened.view.rollback();
    } catch (SQLException e) {
      broken = true;
      error.addSuppressed(e);
    }
  }
}
