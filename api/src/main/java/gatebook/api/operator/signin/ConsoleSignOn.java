package gatebook.api.operator.signin;

import gatebook.api.operator.signin.PendingSignOns.Begun;
import gatebook.api.signon.AuthorizationCodeFlow;
import gatebook.api.signon.SignOnAttempt;
import gatebook.api.signon.SignOnRefusal;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.SignOn;
import gatebook.command.rules.SignOnClient;
import gatebook.command.rules.TokenIssuer;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs operators in to the console at the authorization servers of the rules in force. Each end of
 * a sign-on is recorded before it is returned, as {@link ConsoleSignIn} does it.
 */
public final class ConsoleSignOn {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleSignOn.class);

  private final AuthorizationCodeFlow flow;
  private final ConsoleSignIn consoleSignIn;
  private final Supplier<SignOn> signOn;
  private final Supplier<GatewayLimits> limits;
  private final PendingSignOns pending;

  public ConsoleSignOn(
      AuthorizationCodeFlow flow,
      ConsoleSignIn consoleSignIn,
      Supplier<SignOn> signOn,
      Supplier<GatewayLimits> limits,
      InstantSource clock) {
    this.flow = flow;
    this.consoleSignIn = consoleSignIn;
    this.signOn = signOn;
    this.limits = limits;
    this.pending = new PendingSignOns(limits, clock);
  }

  /** The beginning of a sign-on. */
  public sealed interface Beginning {
    /**
     * The browser is sent to this address.
     *
     * @param browserKey which it keeps in a cookie until it comes back
     */
    record Sent(URI address, String browserKey) implements Beginning {}

    record Refused(SignOnRefusal refusal) implements Beginning {}
  }

  /** The end of a sign-on. */
  public sealed interface End {
    record SignedIn(String sessionKey) implements End {}

    record Refused(SignOnRefusal refusal) implements End {}
  }

  /** The names of the issuers at which an operator may sign in. */
  public List<String> issuers() {
    return signOn.get().issuers().stream()
        .filter(it -> it.console().isPresent())
        .map(TokenIssuer::name)
        .toList();
  }

  /**
   * Empty when there is no such issuer. May block.
   *
   * @param redirect the address to which the browser comes back, by the name of an issuer
   */
  public Optional<Beginning> begin(String issuerName, Function<String, URI> redirect) {
    return issuer(issuerName)
        .map(it -> begin(it, it.console().orElseThrow(), redirect.apply(it.name())));
  }

  private Optional<TokenIssuer> issuer(String name) {
    return signOn.get().issuers().stream()
        .filter(it -> it.name().equals(name) && it.console().isPresent())
        .findFirst();
  }

  private Beginning begin(TokenIssuer issuer, SignOnClient client, URI redirect) {
    Begun begun = pending.begin(issuer.name(), redirect);
    return switch (flow.begin(issuer, client, begun.attempt(), begun.state(), limits.get())) {
      case AuthorizationCodeFlow.Beginning.Sent(URI address) ->
          new Beginning.Sent(address, begun.browserKey());
      case AuthorizationCodeFlow.Beginning.Refused(SignOnRefusal refusal) -> {
        var _ = consoleSignIn.refuseSignOn(issuer, refusal);
        yield new Beginning.Refused(counted(issuer, refusal));
      }
    };
  }

  /**
   * Ends a sign-on. Empty when there is no such issuer. May block.
   *
   * @param state which the browser brought back
   * @param browserKey of its cookie
   */
  public Optional<End> end(
      String issuerName,
      Optional<String> state,
      Optional<String> browserKey,
      AuthorizationCodeFlow.Answer answer) {
    return issuer(issuerName)
        .map(issuer ->
            state
                .flatMap(it -> browserKey.flatMap(key -> pending.take(it, key)))
                .filter(it -> it.issuer().equals(issuerName))
                .map(it -> end(issuer, it, answer))
                .orElseGet(() -> refused(issuer, SignOnRefusal.ATTEMPT_UNKNOWN)));
  }

  private End end(TokenIssuer issuer, SignOnAttempt attempt, AuthorizationCodeFlow.Answer answer) {
    return switch (flow.end(
        issuer, issuer.console().orElseThrow(), attempt, answer, limits.get())) {
      case AuthorizationCodeFlow.End.Verified(var token) ->
          switch (consoleSignIn.withSignOn(issuer, token)) {
            case ConsoleSignIn.Result.SignedIn(String sessionKey, _) ->
                new End.SignedIn(sessionKey);
            case ConsoleSignIn.Result.Refused _, ConsoleSignIn.Result.Throttled _ ->
                new End.Refused(counted(issuer, SignOnRefusal.NO_ROLE));
            case ConsoleSignIn.Result.NotRecorded _ ->
                new End.Refused(counted(issuer, SignOnRefusal.NOT_RECORDED));
          };
      case AuthorizationCodeFlow.End.Refused(SignOnRefusal refusal) -> refused(issuer, refusal);
    };
  }

  private End refused(TokenIssuer issuer, SignOnRefusal refusal) {
    var _ = consoleSignIn.refuseSignOn(issuer, refusal);
    return new End.Refused(counted(issuer, refusal));
  }

  private SignOnRefusal counted(TokenIssuer issuer, SignOnRefusal refusal) {
    LOG.atWarn()
        .addKeyValue("issuer", issuer.name())
        .addKeyValue("reason", refusal.reason())
        .log("a sign-in to the console was refused");
    flow.refusals().count(Optional.of(issuer.name()), refusal.reason());
    return refusal;
  }
}
