package gatebook.api.console;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Map;

/**
 * Adds the headers to every response of the console, errors too, with which a browser keeps its
 * pages to themselves: nothing but their own files runs in them, and no other page frames them.
 */
@ServerFilter({"/", "/console/**"})
@Order(0) // before the filters that refuse requests, whose responses have the headers too
final class ConsoleHeadersFilter {
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  @ResponseFilter
  void addHeaders(MutableHttpResponse<?> response) {
    HEADERS.forEach(response.getHeaders()::set);
  }
}
