package gatebook.api.upstream.agent.client;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The time and the chance that retries depend on.
 *
 * @param random numbers from 0 to 1, asked for by any thread
 */
public record RetryTiming(InstantSource clock, DoubleSupplier random, Pause pause) {

  public static final RetryTiming SYSTEM =
      new RetryTiming(
          InstantSource.system(),
          () -> ThreadLocalRandom.current().nextDouble(),
          RetryTiming::after);

  /** Lets time pass without a thread that waits. */
  @FunctionalInterface
  public interface Pause {
    CompletableFuture<Void> pass(long millis);
  }

  private static CompletableFuture<Void> after(long millis) {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }
}
