package gatebook.api.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;

/** Keeps the rules of requests at the admin port. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(1)
final class RulesFilter {

  private final RequestRules rules;
  private final HttpErrors errors;

  RulesFilter(RequestRules rules, HttpErrors errors) {
    this.rules = rules;
    this.errors = errors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> refuse(HttpRequest<?> request) {
    return rules.refusal(request).map(error -> errors.response(request, error));
  }
}
