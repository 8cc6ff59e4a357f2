package gatebook.api.gateway;

import gatebook.command.axon.CommandConfiguration;
import gatebook.query.ViewQueries;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Reads the views for requests of callers, off the threads that bring these.
 *
 * @param viewQueries empty in a process that has no views
 */
public record ViewReader(Supplier<Optional<ViewQueries>> viewQueries) {

  /**
   * The result of a query; empty without views, and while the process stops. It fails with {@code
   * ViewFailed} when the database of the views failed.
   */
  public <R> CompletableFuture<Optional<R>> send(Object query, Class<R> result) {
    return viewQueries
        .get()
        .map(views ->
            CompletableFuture.supplyAsync(
                () -> send(views, query, result), CommandConfiguration.OFF_THE_SENDERS_THREAD))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  private static <R> Optional<R> send(ViewQueries views, Object query, Class<R> result) {
    try {
      return Optional.of(views.send(query, result));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
