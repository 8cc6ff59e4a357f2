package gatebook.query;

import java.util.concurrent.CompletionException;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.messaging.core.configuration.MessagingConfigurer;
import org.axonframework.messaging.queryhandling.QueryExecutionException;
import org.axonframework.messaging.queryhandling.configuration.QueryHandlingModule;
import org.axonframework.messaging.queryhandling.gateway.QueryGateway;

/**
 * Sends queries to the views over Axon's query bus. Views have a bus of their own, since a process
 * may become the owner of the journal, and so of its views, long after it began to send commands.
 */
public final class ViewQueries implements AutoCloseable {
  private final AxonConfiguration axon;
  private final QueryGateway queries;

  private ViewQueries(AxonConfiguration axon) {
    this.axon = axon;
    this.queries = axon.getComponent(QueryGateway.class);
  }

  /**
   * Starts a bus.
   *
   * @param handlers objects with annotated methods
   */
  static ViewQueries start(Object... handlers) {
    MessagingConfigurer configurer =
        MessagingConfigurer.create()
            .componentRegistry(registry ->
                registry.registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE));
    for (Object annotated : handlers) {
      configurer.registerQueryHandlingModule(
          QueryHandlingModule.named(annotated.getClass().getSimpleName())
              .queryHandlers()
              .annotatedQueryHandlingComponent(_ -> annotated));
    }
    AxonConfiguration axon = configurer.build();
    axon.start();
    return new ViewQueries(axon);
  }

  /**
   * Returns the result of a query. Its handler runs on the calling thread, and may wait until its
   * view has reached a position.
   *
   * @throws gatebook.query.projection.ViewFailed when the database of the views failed
   */
  public <R> R send(Object query, Class<R> result) throws InterruptedException {
    try {
      return queries.query(query, result).join();
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
  }

  /** What the handler threw, which the bus and its future have wrapped. */
  private static RuntimeException unwrapped(Throwable failure) throws InterruptedException {
    return switch (failure) {
      case CompletionException wrapper when wrapper.getCause() != null ->
          unwrapped(wrapper.getCause());
      case QueryExecutionException wrapper when wrapper.getCause() != null ->
          unwrapped(wrapper.getCause());
      case InterruptedException interrupted -> throw interrupted;
      case RuntimeException thrown -> thrown;
      case Error error -> throw error;
      default -> new IllegalStateException("a handler threw a checked exception", failure);
    };
  }

  @Override
  public void close() {
    axon.shutdown();
  }
}
