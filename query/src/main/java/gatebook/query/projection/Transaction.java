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

  private final Connection view;
  private final Progress progress;
  private final Projection projection;
  private final Consumer<Throwable> onFailure;
  private final Runnable onCommit;
  private volatile long position;
  private long next;

  Transaction(
      Connection view,
      Progress progress,
      Projection projection,
      Consumer<Throwable> onFailure,
      Runnable onCommit)
      throws SQLException {
    this.view = view;
    this.progress = progress;
    this.projection = projection;
    this.onFailure = onFailure;
    this.onCommit = onCommit;
    this.position = progress.position();
  }

  /** How far the view has come; what it holds is committed up to here. */
  long position() {
    return position;
  }

  void project(Page page, ProcessingContext context) throws SQLException {
    join(context);
    projection.project(view, page.events());
  }

  void moveTo(long newPosition, ProcessingContext context) {
    join(context);
    next = newPosition;
    try {
      progress.moveTo(newPosition);
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
      view.commit();
      position = next;
    } catch (SQLException e) {
      throw new ViewFailed(e);
    }
  }

  private void rollback(Throwable error) {
    onFailure.accept(error);
    try {
      view.rollback();
    } catch (SQLException e) {
      error.addSuppressed(e);
    }
  }
}
