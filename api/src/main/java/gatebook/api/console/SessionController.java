package gatebook.api.console;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.gateway.BearerToken;
import gatebook.api.http.CertificateNames;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.PublicUrls;
import gatebook.api.http.RequestBody;
import gatebook.api.operator.OperatorAuthentication;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.signin.ConsoleCookie;
import gatebook.api.operator.signin.ConsoleSignIn;
import gatebook.api.operator.signin.OperatorIdentity;
import gatebook.command.rules.Credential;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * The session of a browser: {@code POST /console/session} signs in, with a token, with the code of
 * a link, or else with the certificate of the connection, and {@code DELETE} signs out.
 */
@Controller("/console/session")
final class SessionController {
  private static final int BODY_BYTES_MAX = 4 * 1024;
  private static final JsonMapper JSON = new JsonMapper();

  private static final String TOKEN_REFUSED = "this token belongs to no operator: use another";
  private static final String CERTIFICATE_REFUSED =
      "this certificate belongs to no operator: sign in with a token";
  private static final String LINK_REFUSED =
      "this link was used before, or is too old: make another with ./gatebook console";

  private final ConsoleSignIn consoleSignIn;
  private final PublicUrls publicUrls;
  private final HttpErrors errors;
  private final Executor blockingExecutor;

  SessionController(
      OperatorRpc operatorRpc,
      PublicUrls publicUrls,
      HttpErrors errors,
      @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.consoleSignIn = operatorRpc.consoleSignIn();
    this.publicUrls = publicUrls;
    this.errors = errors;
    this.blockingExecutor = mayBlock;
  }

  @Post
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> signIn(HttpRequest<?> request) {
    return refusal(request)
        .orElseGet(() ->
            RequestBody.of(request, BODY_BYTES_MAX)
                .thenApplyAsync(requestBody -> signIn(request, requestBody), blockingExecutor));
  }

  @Delete
  @Consumes(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> signOut(HttpRequest<?> request) {
    return refusal(request)
        .orElseGet(() -> CompletableFuture.supplyAsync(() -> signedOut(request), blockingExecutor));
  }

  private Optional<CompletableFuture<HttpResponse<?>>> refusal(HttpRequest<?> request) {
    return OperatorAuthentication.refusalOfForeignPage(request)
        .map(error -> CompletableFuture.completedFuture(errors.operatorResponse(request, error)));
  }

  /** A request with the header {@code Authorization} signs in by that header only. */
  private HttpResponse<?> signIn(HttpRequest<?> request, RequestBody requestBody) {
    List<String> authorization = request.getHeaders().getAll(HttpHeaders.AUTHORIZATION);
    if (!authorization.isEmpty()) {
      return response(
          request, consoleSignIn.withToken(BearerToken.of(authorization)), TOKEN_REFUSED);
    }
    Optional<String> code = code(requestBody);
    List<Credential.Certificate> names = CertificateNames.of(request);
    return code.isPresent() || names.isEmpty()
        ? response(request, consoleSignIn.withCode(code), LINK_REFUSED)
        : response(request, consoleSignIn.withCertificate(names), CERTIFICATE_REFUSED);
  }

  private static Optional<String> code(RequestBody requestBody) {
    try {
      return requestBody.fault() == null
          ? Optional.ofNullable(JSON.readTree(requestBody.bytes()).path("code").textValue())
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private HttpResponse<?> response(
      HttpRequest<?> request, ConsoleSignIn.Result result, String refusalSentence) {
    return switch (result) {
      case ConsoleSignIn.Result.SignedIn(var sessionKey, OperatorIdentity identity) ->
          HttpResponse.ok(identity)
              .header(HttpHeaders.CACHE_CONTROL, "no-store")
              .header(
                  HttpHeaders.SET_COOKIE,
                  ConsoleCookie.SESSION.set(sessionKey, publicUrls.isByTls(request)));
      case ConsoleSignIn.Result.Refused() ->
          errors.operatorResponse(request, HttpError.SIGN_IN_REFUSED, refusalSentence);
      case ConsoleSignIn.Result.Throttled() ->
          errors.operatorResponse(request, HttpError.SIGN_IN_THROTTLED);
      case ConsoleSignIn.Result.NotRecorded() ->
          errors.operatorResponse(request, HttpError.NOT_RECORDED);
    };
  }

  private HttpResponse<?> signedOut(HttpRequest<?> request) {
    boolean wasSignedIn =
        ConsoleCookie.SESSION.of(request).filter(consoleSignIn::signOut).isPresent();
    return (wasSignedIn
            ? HttpResponse.noContent()
            : errors.operatorResponse(request, HttpError.OPERATOR_UNKNOWN))
        .header(HttpHeaders.SET_COOKIE, ConsoleCookie.SESSION.removed(publicUrls.isByTls(request)));
  }
}
