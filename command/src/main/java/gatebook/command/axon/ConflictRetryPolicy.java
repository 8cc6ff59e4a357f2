package gatebook.command.axon;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.eventsourcing.eventstore.AppendEventsTransactionRejectedException;
import org.axonframework.messaging.core.Message;
import org.axonframework.messaging.core.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Policy of retries: a command is decided again after a conflict, that is when another event of its
 * entity was stored meanwhile, so that each decision takes all earlier events into account. Nothing
 * else is retried.
 */
final class ConflictRetryPolicy implements RetryPolicy {

  /** A call and a task have few events, so few conflicts can occur. */
  private static final int ATTEMPTS_MAX = 8;

  /**
   * Doubled for each further attempt: on a shared database, the conflicting event may become
   * visible late.
   */
  private static final long PAUSE_MILLIS = 4;

  @Override
  public Outcome defineFor(
      Message command, Throwable failure, List<Class<? extends Throwable>[]> previousFailures) {
    int attempts = previousFailures.size() + 1;
    return attempts < ATTEMPTS_MAX && isConflict(failure)
        ? Outcome.rescheduleIn(PAUSE_MILLIS << previousFailures.size(), TimeUnit.MILLISECONDS)
        : Outcome.doNotReschedule();
  }

  private static boolean isConflict(@Nullable Throwable failure) {
    return failure instanceof AppendEventsTransactionRejectedException
        || (failure != null && isConflict(failure.getCause()));
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("attemptsMax", ATTEMPTS_MAX);
    descriptor.describeProperty("pauseMillis", PAUSE_MILLIS);
  }
}
