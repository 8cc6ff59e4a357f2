package gatebook.api.http;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The methods of a path, with what answers each. {@code HEAD} is answered as {@code GET} is.
 *
 * @param isJsonAlone whether its responses are JSON whatever is asked for, so that a client that
 *     does not accept JSON is refused
 */
public record PathMethods(Map<HttpMethod, Action> actions, boolean isJsonAlone) {

  /** The order in which clients are told the methods. */
  private static final List<HttpMethod> TOLD =
      List.of(HttpMethod.DELETE, HttpMethod.POST, HttpMethod.GET);

  /** Answers a request. */
  @FunctionalInterface
  public interface Action {
    CompletableFuture<HttpResponse<?>> answer(HttpRequest<?> request);
  }

  public PathMethods {
    actions = Map.copyOf(actions);
  }

  /** What answers this method; empty when the path does not have it. */
  Optional<Action> find(HttpMethod method) {
    return Optional.ofNullable(actions.get(method == HttpMethod.HEAD ? HttpMethod.GET : method));
  }

  /** The value of the header {@code Allow}. */
  String allowed() {
    return Stream.concat(
            Stream.of(HttpMethod.HEAD).filter(_ -> actions.containsKey(HttpMethod.GET)),
            TOLD.stream().filter(actions::containsKey))
        .map(HttpMethod::name)
        .collect(Collectors.joining(","));
  }

  /** Whether the client accepts what is sent here. */
  boolean isAcceptable(HttpRequest<?> request) {
    if (!isJsonAlone) {
      return true;
    }
    Collection<MediaType> accepted = request.accept();
    return accepted.isEmpty()
        || accepted.contains(MediaType.ALL_TYPE)
        || accepted.contains(MediaType.APPLICATION_JSON_TYPE);
  }
}
