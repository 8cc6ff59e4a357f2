package gatebook.api.callers;

import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.api.http.PathMethods;
import gatebook.api.signon.TokenVerifier;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.netty.NettyHttpRequest;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The tokens of callers: each is verified before its request is served. */
@Singleton
@Requires(beans = Gateway.class)
final class CallerTokens {
  private static final String VERDICT = "gatebook.token";

  private final TokenVerifier verifier;

  CallerTokens(TokenVerifier verifier) {
    this.verifier = verifier;
  }

  /** The same action, for requests whose token is verified. */
  PathMethods.Action verifying(PathMethods.Action action) {
    return request -> {
      Optional<BearerToken> token =
          BearerToken.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION));
      if (token.isEmpty()) {
        return action.answer(request);
      }
      CompletableFuture<TokenVerdict> verdict = verifier.verifyCaller(token.get());
      return verdict.isDone()
          ? answer(action, request, verdict.join())
          : verdict.thenComposeAsync(it -> answer(action, request, it), eventLoop(request));
    };
  }

  private static CompletableFuture<HttpResponse<?>> answer(
      PathMethods.Action action, HttpRequest<?> request, TokenVerdict verdict) {
    request.setAttribute(VERDICT, verdict);
    return action.answer(request);
  }

  /** The body of a request is read by the thread of its connection. */
  private static Executor eventLoop(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? netty.getChannelHandlerContext().executor()
        : Runnable::run;
  }

  /** The verdict on the token of a request. */
  static TokenVerdict verdict(HttpRequest<?> request) {
    return request.getAttribute(VERDICT, TokenVerdict.class).orElse(TokenVerdict.OPAQUE);
  }

  /** Whether a request has a token that cannot be verified now. */
  static boolean isUnverifiable(HttpRequest<?> request) {
    return verdict(request) instanceof TokenVerdict.Refused(ServiceUnavailable _, _);
  }
}
