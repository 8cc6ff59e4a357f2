package gatebook.api.http;

import com.fasterxml.jackson.core.JsonParseException;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Paths that fail when a test wants it, with words that no response may have. */
@Singleton
final class FailingTestPaths implements BeanCreatedEventListener<CallersPaths> {

  private static final String WORDS = "secret inner words";

  @Override
  public CallersPaths onCreated(BeanCreatedEvent<CallersPaths> event) {
    CallersPaths paths = event.getBean();
    return new CallersPaths() {
      @Override
      public Optional<PathMethods> find(HttpRequest<?> request) {
        failIfWanted(request);
        return paths.find(request);
      }

      @Override
      public CompletableFuture<HttpResponse<?>> fail(HttpRequest<?> request, Throwable failure) {
        return paths.fail(request, failure);
      }
    };
  }

  private static void failIfWanted(HttpRequest<?> request) {
    switch (request.getHeaders().get("X-Test-Failing-Path")) {
      case null -> {
        // most requests
      }
      case "json" -> throw new IllegalStateException(new JsonParseException(WORDS));
      case "file" -> throw new UncheckedIOException(new IOException(WORDS));
      default -> throw new IllegalStateException(WORDS);
    }
  }
}
