package gatebook.api.operator;

import gatebook.api.gateway.BearerToken;
import gatebook.api.http.BearerChallenge;
import gatebook.api.http.CertificateNames;
import gatebook.api.http.ConsoleHeader;
import gatebook.api.http.HttpError;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.signin.BearerSignIn;
import gatebook.api.operator.signin.ConsoleCookie;
import gatebook.api.operator.signin.ConsoleSignIn;
import gatebook.events.fault.Misdirected.Refusal;
import io.micronaut.context.BeanProvider;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Authenticates the requests of operators: by a bearer token, else by the cookie of a session in
 * the console, else by the certificate of the connection.
 *
 * <p>A browser shows a cookie and a certificate also in requests that another page makes. Such a
 * request cannot have the header of the console, because the page's browser asks first whether it
 * may, and is refused.
 */
@Singleton
public final class OperatorAuthentication {
  private final BeanProvider<OperatorRpc> operatorRpc;

  /** The outcome of an authentication. */
  sealed interface Outcome {
    /**
     * The request is of this operator.
     *
     * @param isStillPermitted whether it would be authenticated now with the same roles; does not
     *     count as use of a session
     */
    record Authenticated(Operator operator, BooleanSupplier isStillPermitted) implements Outcome {}

    /**
     * The request is refused.
     *
     * @param challenge says which credential is needed; empty when another one would not help
     */
    record Refused(HttpError error, Optional<String> challenge) implements Outcome {}
  }

  OperatorAuthentication(BeanProvider<OperatorRpc> operatorRpc) {
    this.operatorRpc = operatorRpc;
  }

  /**
   * A request with the header {@code Authorization} is authenticated by that header only. Does not
   * block.
   */
  CompletableFuture<Outcome> authenticate(HttpRequest<?> request) {
    List<String> authorization = request.getHeaders().getAll(HttpHeaders.AUTHORIZATION);
    Optional<String> sessionKey = ConsoleCookie.SESSION.of(request);
    OperatorRpc rpc = operatorRpc.get();
    if (!authorization.isEmpty()) {
      return byToken(BearerToken.of(authorization), rpc.bearerSignIn());
    }
    return CompletableFuture.completedFuture(
        sessionKey.isEmpty()
            ? byCertificate(request, rpc.bearerSignIn())
            : bySession(request, sessionKey.get(), rpc.consoleSignIn()));
  }

  private static CompletableFuture<Outcome> byToken(
      Optional<BearerToken> token, BearerSignIn bearerSignIn) {
    return token.isEmpty()
        ? CompletableFuture.completedFuture(unknown(Optional.empty()))
        : bearerSignIn.of(token.get()).thenApply(result -> outcome(result, bearerSignIn));
  }

  private static Outcome byCertificate(HttpRequest<?> request, BearerSignIn bearerSignIn) {
    Optional<Operator> certified = bearerSignIn.of(CertificateNames.of(request));
    if (certified.isEmpty()) {
      return unknown(Optional.empty());
    }
    return refusalOfForeignPage(request)
        .<Outcome>map(it -> new Outcome.Refused(it, Optional.empty()))
        .orElseGet(() -> authenticated(certified.get(), bearerSignIn));
  }

  private static Outcome authenticated(Operator operator, BearerSignIn bearerSignIn) {
    return new Outcome.Authenticated(operator, () -> bearerSignIn.isStill(operator));
  }

  private static Outcome outcome(BearerSignIn.Result result, BearerSignIn bearerSignIn) {
    return switch (result) {
      case BearerSignIn.Result.SignedIn(var operator) -> authenticated(operator, bearerSignIn);
      case BearerSignIn.Result.Refused(var refusal) -> unknown(refusal);
      case BearerSignIn.Result.Unavailable() ->
          new Outcome.Refused(HttpError.SIGN_ON_KEYS, Optional.empty());
    };
  }

  private static Outcome unknown(Optional<Refusal> refusal) {
    return new Outcome.Refused(
        HttpError.OPERATOR_UNKNOWN,
        Optional.of(BearerChallenge.of(refusal, Optional.empty(), Set.of())));
  }

  private static Outcome bySession(
      HttpRequest<?> request, String sessionKey, ConsoleSignIn consoleSignIn) {
    return refusalOfSender(request)
        .<Outcome>map(it -> new Outcome.Refused(it, Optional.empty()))
        .orElseGet(() ->
            consoleSignIn
                .operatorOf(sessionKey)
                .<Outcome>map(operator ->
                    new Outcome.Authenticated(
                        operator, () -> consoleSignIn.isStillSignedIn(sessionKey, operator)))
                .orElseGet(() -> unknown(Optional.empty())));
  }

  /** A browser sends the origin with every message; {@code RequestRules} refuses foreign ones. */
  private static Optional<HttpError> refusalOfSender(HttpRequest<?> request) {
    boolean isMessage = request.getMethod() == HttpMethod.POST;
    return isMessage && request.getHeaders().getAll(HttpHeaders.ORIGIN).isEmpty()
        ? Optional.of(HttpError.ORIGIN_MISSING)
        : refusalOfForeignPage(request);
  }

  /** Refuses a request that a page other than the console may have made. */
  public static Optional<HttpError> refusalOfForeignPage(HttpRequest<?> request) {
    return request.getHeaders().getAll(ConsoleHeader.NAME).equals(List.of(ConsoleHeader.VALUE))
        ? Optional.empty()
        : Optional.of(HttpError.CONSOLE_HEADER_MISSING);
  }
}
