package gatebook.api.http;

import gatebook.api.gateway.Gateway;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Paths for callers where there is no gateway; one fails with words that no response may have. */
@Singleton
@Requires(missingBeans = Gateway.class)
final class CallersTestPaths implements CallersPaths {

  private final HttpErrors errors;
  private final Map<String, PathMethods> paths =
      Map.of(
          "/test-callers",
          methods(HttpMethod.GET, _ -> CompletableFuture.completedFuture(text("for callers"))),
          "/test-callers/body",
          methods(HttpMethod.POST, CallersTestPaths::body),
          "/test-callers/failing",
          methods(
              HttpMethod.GET,
              _ -> {
                throw new IllegalStateException("secret inner words");
              }),
          "/test-callers/held",
          methods(HttpMethod.GET, this::held));
  private final HeldAnswer heldAnswer;

  /** An answer that a test gives when it wants to, once it was asked for. */
  record HeldAnswer(CompletableFuture<Void> asked, CompletableFuture<String> text) {
    HeldAnswer() {
      this(new CompletableFuture<>(), new CompletableFuture<>());
    }
  }

  CallersTestPaths(HttpErrors errors, Optional<HeldAnswer> heldAnswer) {
    this.errors = errors;
    this.heldAnswer = heldAnswer.orElseGet(HeldAnswer::new);
  }

  private CompletableFuture<HttpResponse<?>> held(HttpRequest<?> request) {
    heldAnswer.asked.complete(null);
    return heldAnswer.text.thenApply(CallersTestPaths::text);
  }

  private static PathMethods methods(HttpMethod method, PathMethods.Action action) {
    return new PathMethods(Map.of(method, action), false);
  }

  /** Answers with what became of the body. */
  private static CompletableFuture<HttpResponse<?>> body(HttpRequest<?> request) {
    return RequestBody.of(request, 1 << 20)
        .thenApply(it -> text("%s, overload %s".formatted(it.fault(), it.isOverload())));
  }

  private static HttpResponse<?> text(String text) {
    return HttpResponse.ok(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<PathMethods> find(HttpRequest<?> request) {
    return Optional.ofNullable(paths.get(request.getPath()));
  }

  @Override
  public CompletableFuture<HttpResponse<?>> fail(HttpRequest<?> request, Throwable failure) {
    return CompletableFuture.completedFuture(errors.unforeseen(request, failure));
  }
}
