package gatebook.api.callers;

import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Executable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles unhandled errors that are thrown while a request is served, also by filters: at callers'
 * paths with an error response like any other, elsewhere with a 500.
 */
@Singleton
final class UnhandledErrors
    implements ExceptionHandler<Throwable, CompletableFuture<HttpResponse<?>>> {

  private static final Logger LOG = LoggerFactory.getLogger(UnhandledErrors.class);

  private final BeanProvider<CallersHandler> handler;
  private final HttpErrors errors;

  UnhandledErrors(BeanProvider<CallersHandler> handler, HttpErrors errors) {
    this.handler = handler;
    this.errors = errors;
  }

  @Executable
  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public CompletableFuture<HttpResponse<?>> handle(HttpRequest request, Throwable failure) {
    HttpRequest<?> typed = request;
    return CallersController.dialectOf(typed)
        .map(dialect -> handler.get().fail(dialect, typed, failure))
        .orElseGet(() -> internalError(typed, failure));
  }

  private CompletableFuture<HttpResponse<?>> internalError(
      HttpRequest<?> request, Throwable failure) {
    LOG.atError().setCause(failure).log("unforeseen failure while serving a request");
    return CompletableFuture.completedFuture(errors.response(request, HttpError.INTERNAL_ERROR));
  }
}
