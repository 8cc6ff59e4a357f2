package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;

/** A filter that fails when a test wants it, with words that no response may have. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class FailingTestFilter {

  @RequestFilter
  void fail(HttpRequest<?> request) {
    if (request.getHeaders().contains("X-Test-Failing-Filter")) {
      throw new IllegalStateException("secret inner words");
    }
  }
}
