package gatebook.api.console;

import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.PublicUrls;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.signin.ConsoleCookie;
import gatebook.api.operator.signin.ConsoleSignOn;
import gatebook.api.signon.AuthorizationCodeFlow;
import gatebook.api.signon.SignOnRefusal;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * The sign-on of operators at authorization servers. The browser is sent there, comes back to the
 * path {@code callback}, and ends at the console: signed in, or with what to do next.
 */
@Controller("/console/sign-on")
final class SignOnController {
  private static final String PATH = "/console/sign-on/";
  private static final URI SIGNED_ON = URI.create("/#signed-on");
  private static final String REFUSED = "/#sign-on-refused=";

  private final ConsoleSignOn consoleSignOn;
  private final PublicUrls publicUrls;
  private final HttpErrors errors;
  private final Executor blockingExecutor;

  /** The issuers at which an operator may sign in. */
  record Issuers(List<Issuer> issuers) {
    /**
     * One of them.
     *
     * @param path where the sign-on begins
     */
    record Issuer(String name, String path) {}
  }

  SignOnController(
      OperatorRpc operatorRpc,
      PublicUrls publicUrls,
      HttpErrors errors,
      @Named(TaskExecutors.BLOCKING) ExecutorService mayBlock) {
    this.consoleSignOn = operatorRpc.consoleSignOn();
    this.publicUrls = publicUrls;
    this.errors = errors;
    this.blockingExecutor = mayBlock;
  }

  @Get
  @Produces(MediaType.ALL) // like the pages, of which this would else be one that does not exist
  HttpResponse<?> issuers() {
    return uncached(
        HttpResponse.ok(
                new Issuers(
                    consoleSignOn.issuers().stream()
                        .map(name -> new Issuers.Issuer(name, PATH + name))
                        .toList()))
            .contentType(MediaType.APPLICATION_JSON_TYPE));
  }

  @Get("/{issuer}")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> begin(HttpRequest<?> request, String issuer) {
    return CompletableFuture.supplyAsync(() -> begun(request, issuer), blockingExecutor);
  }

  private HttpResponse<?> begun(HttpRequest<?> request, String issuer) {
    String base = publicUrls.base(request) + PATH;
    return consoleSignOn
        .begin(issuer, name -> URI.create(base + name + "/callback"))
        .<HttpResponse<?>>map(beginning ->
            switch (beginning) {
              case ConsoleSignOn.Beginning.Sent(URI address, String browserKey) ->
                  uncached(HttpResponse.seeOther(address))
                      .header(
                          HttpHeaders.SET_COOKIE,
                          ConsoleCookie.SIGN_ON.set(browserKey, publicUrls.isByTls(request)));
              case ConsoleSignOn.Beginning.Refused(SignOnRefusal refusal) -> refused(refusal);
            })
        .orElseGet(() -> errors.response(request, HttpError.NOT_FOUND));
  }

  @Get("/{issuer}/callback")
  @Produces(MediaType.ALL)
  CompletableFuture<HttpResponse<?>> callback(HttpRequest<?> request, String issuer) {
    return CompletableFuture.supplyAsync(() -> ended(request, issuer), blockingExecutor);
  }

  private HttpResponse<?> ended(HttpRequest<?> request, String issuer) {
    boolean isSecure = publicUrls.isByTls(request);
    return consoleSignOn
        .end(issuer, param(request, "state"), ConsoleCookie.SIGN_ON.of(request), answer(request))
        .map(end ->
            switch (end) {
              case ConsoleSignOn.End.SignedIn(String sessionKey) ->
                  uncached(HttpResponse.seeOther(SIGNED_ON))
                      .header(
                          HttpHeaders.SET_COOKIE, ConsoleCookie.SESSION.set(sessionKey, isSecure));
              case ConsoleSignOn.End.Refused(SignOnRefusal refusal) -> refused(refusal);
            })
        .<HttpResponse<?>>map(response ->
            response.header(HttpHeaders.SET_COOKIE, ConsoleCookie.SIGN_ON.removed(isSecure)))
        .orElseGet(() -> errors.response(request, HttpError.NOT_FOUND));
  }

  private static AuthorizationCodeFlow.Answer answer(HttpRequest<?> request) {
    return new AuthorizationCodeFlow.Answer(
        param(request, "error").isPresent() ? Optional.empty() : param(request, "code"),
        param(request, "iss"));
  }

  /** A parameter that is there twice is not there. */
  private static Optional<String> param(HttpRequest<?> request, String name) {
    List<String> all = request.getParameters().getAll(name);
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }

  private static MutableHttpResponse<?> refused(SignOnRefusal refusal) {
    return uncached(HttpResponse.seeOther(URI.create(REFUSED + refusal.advice().word())));
  }

  private static <T> MutableHttpResponse<T> uncached(MutableHttpResponse<T> response) {
    return response.header(HttpHeaders.CACHE_CONTROL, "no-store");
  }
}
