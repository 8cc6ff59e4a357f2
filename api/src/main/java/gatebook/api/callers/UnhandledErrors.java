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
 * What becomes of anything unforeseen that is thrown while a request is served, by filters too: at
 * callers' paths an answer like any other, elsewhere a 500.
 */
@Singleton
final class UnhandledErrors
    implements ExceptionHandler<Throwable, CompletableFuture<HttpResponse<?>>> {

  private static final Logger LOG = LoggerFactory.getLogger(UnhandledErrors.class);

  private final BeanProvider<CallersHandler> door;
  private final HttpErrors errors;

  UnhandledErrors(BeanProvider<CallersHandler> door, HttpErrors errors) {
    this.door = door;
    this.errors = errors;
  }

  @Executable
  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public CompletableFuture<HttpResponse<?>> handle(HttpRequest request, Throwable failure) {
    HttpRequest<?> asked = request;
    return CallersController.spokenAt(asked)
        .map(dialect -> door.get().fail(dialect, asked, failure))
        .orElseGet(() -> bare(asked, failure));
  }

  private CompletableFuture<HttpResponse<?>> bare(HttpRequest<?> request, Throwable failure) {
    LOG.atError().setCause(failure).log("unforeseen failure while serving a request");
    return CompletableFuture.completedFuture(errors.response(request, HttpError.INTERNAL_ERROR));
  }
}
