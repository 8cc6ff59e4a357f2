package gatebook.api.http;

import com.fasterxml.jackson.core.JsonParseException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A filter that fails when a test wants it, with words that no response may have. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class FailingTestFilter {

  private static final String WORDS = "secret inner words";

  @RequestFilter
  void fail(HttpRequest<?> request) {
    switch (request.getHeaders().get("X-Test-Failing-Filter")) {
      case null -> {
        // most requests
      }
      case "json" -> throw new IllegalStateException(new JsonParseException(WORDS));
      case "file" -> throw new UncheckedIOException(new IOException(WORDS));
      default -> throw new IllegalStateException(WORDS);
    }
  }
}
