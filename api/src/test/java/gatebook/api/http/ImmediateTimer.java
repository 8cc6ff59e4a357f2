package gatebook.api.http;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer that runs a delayed task at once, and a repeated one never. */
public final class ImmediateTimer extends ScheduledThreadPoolExecutor {
  public ImmediateTimer() {
    super(1, Thread.ofPlatform().daemon().factory());
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    task.run();
    return super.schedule(() -> {}, 0, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    return super.schedule(() -> {}, 0, unit);
  }
}
