package gatebook.api.callers;

import gatebook.api.http.ErrorBody;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Executable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of anything unforeseen that is thrown while a request is served, by filters too: at
 * callers' paths an answer like any other, elsewhere a bare 500.
 */
@Singleton
final class Panic implements ExceptionHandler<Throwable, CompletableFuture<HttpResponse<?>>> {

  private static final Logger LOG = LoggerFactory.getLogger(Panic.class);

  private final BeanProvider<CallersDoor> door;

  Panic(BeanProvider<CallersDoor> door) {
    this.door = door;
  }

  @Executable
  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public CompletableFuture<HttpResponse<?>> handle(HttpRequest request, Throwable failure) {
    HttpRequest<?> asked = request;
    return CallersController.spokenAt(asked)
        .map(dialect -> door.get().fail(dialect, asked, failure))
        .orElseGet(() -> bare(failure));
  }

  private static CompletableFuture<HttpResponse<?>> bare(Throwable failure) {
    LOG.atError().setCause(failure).log("unforeseen failure while serving a request");
    return CompletableFuture.completedFuture(
        ErrorBody.response(HttpStatus.INTERNAL_SERVER_ERROR, "internal server error"));
  }
}
