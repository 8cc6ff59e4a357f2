package gatebook.api.operator.signin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorAudit;
import gatebook.api.signon.TokenVerifier;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs operators in who show a token with each request: one that is listed, or one that an issuer
 * signed. A refused token of the second kind is recorded, unless too many were.
 */
public final class BearerSignIn {
  private static final Logger LOG = LoggerFactory.getLogger(BearerSignIn.class);
  private static final String SIGN_IN = "operator.signIn";
  private static final String UNKNOWN = "unknown";

  private final Operators operators;
  private final TokenVerifier tokenVerifier;
  private final OperatorAudit operatorAudit;
  private final SignInThrottle throttle;

  /** The result of a sign-in. */
  public sealed interface Result {
    record SignedIn(Operator operator) implements Result {}

    /** No operator; with the reason, where the token was signed. */
    record Refused(Optional<Refusal> refusal) implements Result {}

    /** The token cannot be verified now. */
    record Unavailable() implements Result {}
  }

  public BearerSignIn(
      Operators operators,
      TokenVerifier tokenVerifier,
      OperatorAudit operatorAudit,
      Supplier<GatewayLimits> limits,
      InstantSource clock) {
    this.operators = operators;
    this.tokenVerifier = tokenVerifier;
    this.operatorAudit = operatorAudit;
    this.throttle = new SignInThrottle(limits, clock);
  }

  /** Does not block. */
  public CompletableFuture<Result> of(BearerToken token) {
    Optional<Operator> listed = operators.operatorOf(token);
    return listed.isPresent()
        ? CompletableFuture.completedFuture(new Result.SignedIn(listed.get()))
        : tokenVerifier.verify(token).thenCompose(this::signedOn);
  }

  /** The operator of the first of the names in a certificate that is one's. */
  public Optional<Operator> of(List<Credential.Certificate> names) {
    return operators.operatorOf(names);
  }

  /** A refusal is recorded on a thread of its own, since that may take a while. */
  private CompletableFuture<Result> signedOn(TokenVerdict verdict) {
    return switch (verdict) {
      case TokenVerdict.Opaque() ->
          CompletableFuture.completedFuture(new Result.Refused(Optional.empty()));
      case TokenVerdict.Signed(var token) ->
          operators
              .with(token)
              .map(it -> CompletableFuture.<Result>completedFuture(new Result.SignedIn(it)))
              .orElseGet(() -> refused(withoutRole(token)));
      case TokenVerdict.Refused refused -> refused(refused);
    };
  }

  private TokenVerdict.Refused withoutRole(Credential.SignedToken token) {
    return new TokenVerdict.Refused(
        new Unauthorized(Refusal.NOT_PERMITTED), tokenVerifier.nameOf(token.issuer()));
  }

  private CompletableFuture<Result> refused(TokenVerdict.Refused refused) {
    tokenVerifier.refusals().count(refused);
    return CompletableFuture.supplyAsync(
        () -> {
          record(refused);
          return result(refused.fault());
        },
        task -> Thread.ofVirtual().name("operator-sign-in").start(task));
  }

  private static Result result(Fault fault) {
    return fault instanceof Unauthorized(var refusal)
        ? new Result.Refused(Optional.of(refusal))
        : new Result.Unavailable();
  }

  private void record(TokenVerdict.Refused refused) {
    String reason = refused.reason();
    LOG.atWarn()
        .addKeyValue("issuer", refused.issuer().orElse(UNKNOWN))
        .addKeyValue("reason", reason)
        .log("the signed token of an operator was refused");
    if (!throttle.take()) {
      return;
    }
    ObjectNode params = JsonNodeFactory.instance.objectNode().put("by", "bearer");
    refused.issuer().ifPresent(it -> params.put("issuer", it));
    params.put("reason", reason);
    long unrecorded = throttle.drainUnrecorded();
    if (unrecorded > 0) {
      params.put("unrecordedBefore", unrecorded);
    }
    OperatorActed acted =
        new OperatorActed(UNKNOWN, SIGN_IN, JsonValue.parse(params.toString()), null, false);
    if (operatorAudit.record(acted) instanceof OperatorAudit.Recording.NotRecorded) {
      throttle.restoreUnrecorded(unrecorded + 1);
    }
  }

  /** Whether the operator has the same credential and roles, and its token is not too old. */
  public boolean isStill(Operator operator) {
    return operators.isStill(operator)
        && !(operator.credential() instanceof Credential.SignedToken token
            && !tokenVerifier.isCurrent(token));
  }
}
