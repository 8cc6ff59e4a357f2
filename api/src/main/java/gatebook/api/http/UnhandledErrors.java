package gatebook.api.http;

import io.micronaut.context.annotation.Executable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Handles unhandled errors that are thrown while a request is served at the admin port. */
@Singleton
final class UnhandledErrors implements ExceptionHandler<Throwable, HttpResponse<?>> {

  private final HttpErrors errors;

  UnhandledErrors(HttpErrors errors) {
    this.errors = errors;
  }

  @Executable
  @Override
  @SuppressWarnings("rawtypes") // as the interface has it
  public HttpResponse<?> handle(HttpRequest request, Throwable failure) {
    HttpRequest<?> typed = request;
    return errors.unforeseen(typed, failure);
  }
}
