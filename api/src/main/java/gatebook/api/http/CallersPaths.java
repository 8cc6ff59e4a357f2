package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The paths of the callers' port. */
public interface CallersPaths {

  /** What answers at the path of a request; empty when nothing is there. */
  Optional<PathMethods> find(HttpRequest<?> request);

  /** The response to a request that failed for an unforeseen reason. */
  CompletableFuture<HttpResponse<?>> fail(HttpRequest<?> request, Throwable failure);
}
