package gatebook.api.operator;

import gatebook.api.gateway.BearerToken;
import gatebook.api.http.CertificateNames;
import gatebook.api.http.ConsoleHeader;
import gatebook.api.http.HttpError;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.signin.ConsoleSignIn;
import gatebook.api.operator.signin.SessionCookie;
import io.micronaut.context.BeanProvider;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

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

    record Refused(HttpError error) implements Outcome {}
  }

  OperatorAuthentication(BeanProvider<OperatorRpc> operatorRpc) {
    this.operatorRpc = operatorRpc;
  }

  /** A request with the header {@code Authorization} is authenticated by that header only. */
  Outcome authenticate(HttpRequest<?> request) {
    List<String> authorization = request.getHeaders().getAll(HttpHeaders.AUTHORIZATION);
    Optional<String> sessionKey = SessionCookie.of(request);
    OperatorRpc rpc = operatorRpc.get();
    if (!authorization.isEmpty()) {
      return outcome(BearerToken.of(authorization).flatMap(rpc::operatorOf), rpc::isStillOperator);
    }
    if (sessionKey.isEmpty()) {
      Optional<Operator> certified = rpc.operatorOf(CertificateNames.of(request));
      return certified
          .flatMap(_ -> refusalOfForeignPage(request))
          .<Outcome>map(Outcome.Refused::new)
          .orElseGet(() -> outcome(certified, rpc::isStillOperator));
    }
    ConsoleSignIn consoleSignIn = rpc.consoleSignIn();
    return refusalOfSender(request)
        .<Outcome>map(Outcome.Refused::new)
        .orElseGet(() ->
            outcome(
                consoleSignIn.operatorOf(sessionKey.get()),
                operator -> consoleSignIn.isStillSignedIn(sessionKey.get(), operator)));
  }

  private static Outcome outcome(
      Optional<Operator> operator, Predicate<Operator> isStillPermitted) {
    return operator
        .<Outcome>map(it -> new Outcome.Authenticated(it, () -> isStillPermitted.test(it)))
        .orElseGet(() -> new Outcome.Refused(HttpError.OPERATOR_UNKNOWN));
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
