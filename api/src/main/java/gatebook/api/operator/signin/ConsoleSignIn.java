package gatebook.api.operator.signin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.gateway.BearerToken;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorAudit;
import gatebook.api.signon.SignOnRefusal;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs operators in to the console and out of it. Each attempt is recorded before its result is
 * returned, except those above a limit, which are counted in the next record.
 */
public final class ConsoleSignIn {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleSignIn.class);
  private static final String SIGN_IN = "console.signIn";
  private static final String SIGN_OUT = "console.signOut";

  /** The name in the record of an attempt whose operator is not known. */
  private static final String UNKNOWN = "unknown";

  private final Operators operators;
  private final OperatorAudit operatorAudit;
  private final Function<Operator, OperatorIdentity> identities;
  private final OperatorSessions sessions;
  private final SignInCodes codes;
  private final SignInThrottle throttle;

  /** The result of a sign-in. */
  public sealed interface Result {
    /**
     * The operator is signed in.
     *
     * @param sessionKey authenticates further requests of the session
     */
    record SignedIn(String sessionKey, OperatorIdentity identity) implements Result {}

    /** What was shown is not valid. */
    record Refused() implements Result {}

    /**
     * What was shown is not valid, and too many others were refused, so that this refusal is only
     * counted.
     */
    record Throttled() implements Result {}

    /** The sign-in cannot be recorded. */
    record NotRecorded() implements Result {}
  }

  public ConsoleSignIn(
      Operators operators,
      OperatorAudit operatorAudit,
      Function<Operator, OperatorIdentity> identities,
      Supplier<GatewayLimits> limits,
      InstantSource clock) {
    this.operators = operators;
    this.operatorAudit = operatorAudit;
    this.identities = identities;
    this.sessions = new OperatorSessions(limits, clock);
    this.codes = new SignInCodes(limits, clock);
    this.throttle = new SignInThrottle(limits, clock);
  }

  /** Signs in with a token; empty when none was sent that can be read. May block. */
  public Result withToken(Optional<BearerToken> token) {
    return signIn(by("token"), token.flatMap(operators::operatorOf));
  }

  /** Signs in with the code of a link; empty when none was sent that can be read. May block. */
  public Result withCode(Optional<String> code) {
    return signIn(by("code"), code.flatMap(codes::redeem).flatMap(operators::with));
  }

  /** Signs in with the first of the names in a certificate that is an operator's. May block. */
  public Result withCertificate(List<Credential.Certificate> names) {
    return signIn(by("certificate"), operators.operatorOf(names));
  }

  /** Signs in whom an issuer knows, if that is an operator. May block. */
  Result withSignOn(TokenIssuer issuer, Credential.SignedToken token) {
    Optional<Operator> operator = operators.with(token);
    return operator.isPresent()
        ? signIn(bySignOn(issuer), operator)
        : refuseSignOn(
            issuer, SignOnRefusal.NO_ROLE, issuer.personOf(token.claims()).orElse(UNKNOWN));
  }

  /** Records that a sign-on was refused before it was known whose it is. May block. */
  Result refuseSignOn(TokenIssuer issuer, SignOnRefusal refusal) {
    return refuseSignOn(issuer, refusal, UNKNOWN);
  }

  private Result refuseSignOn(TokenIssuer issuer, SignOnRefusal refusal, String name) {
    return refuse(bySignOn(issuer).put("reason", refusal.reason()), name);
  }

  private static ObjectNode bySignOn(TokenIssuer issuer) {
    return by("sign-on").put("issuer", issuer.name());
  }

  private static ObjectNode by(String means) {
    return JsonNodeFactory.instance.objectNode().put("by", means);
  }

  /**
   * A valid token, code or certificate signs in however many others were refused, so no operator is
   * locked out.
   */
  private Result signIn(ObjectNode params, Optional<Operator> operator) {
    if (operator.isEmpty()) {
      return refuse(params, UNKNOWN);
    }
    return record(operator.get().name(), params, true)
        ? new Result.SignedIn(
            sessions.open(operator.get().credential()), identities.apply(operator.get()))
        : new Result.NotRecorded();
  }

  private Result refuse(ObjectNode params, String name) {
    if (!throttle.take()) {
      return new Result.Throttled();
    }
    var _ = record(name, params, false);
    return new Result.Refused();
  }

  private boolean record(String operator, ObjectNode params, boolean allowed) {
    long unrecorded = throttle.drainUnrecorded();
    if (unrecorded > 0) {
      params.put("unrecordedBefore", unrecorded);
    }
    boolean isRecorded =
        record(
            new OperatorActed(
                operator, SIGN_IN, JsonValue.parse(params.toString()), null, allowed));
    if (!isRecorded) {
      throttle.restoreUnrecorded(unrecorded);
    }
    return isRecorded;
  }

  /**
   * Ends a session, whether or not this can be recorded. May block. Returns whether there was one.
   */
  public boolean signOut(String sessionKey) {
    Optional<Operator> operator = operatorOf(sessionKey);
    sessions.end(sessionKey);
    operator.ifPresent(it -> record(new OperatorActed(it.name(), SIGN_OUT, null, null, true)));
    return operator.isPresent();
  }

  private boolean record(OperatorActed acted) {
    return switch (operatorAudit.record(acted)) {
      case OperatorAudit.Recording.Recorded _ -> true;
      case OperatorAudit.Recording.NotRecorded(var reason) -> {
        LOG.atWarn()
            .addKeyValue("operator", acted.operator())
            .addKeyValue("method", acted.method())
            .addKeyValue("reason", reason)
            .log("a sign-in or sign-out of the console was not recorded");
        yield false;
      }
    };
  }

  /** Issues a code with which this operator can sign in. */
  public SignInCodes.SignInCode issueCode(Operator operator) {
    return codes.issue(operator.credential());
  }

  /**
   * The operator of a session, with the roles it has now. A session ends when its operator's
   * credential is changed or removed.
   */
  public Optional<Operator> operatorOf(String sessionKey) {
    Optional<Operator> operator = sessions.use(sessionKey).flatMap(operators::with);
    if (operator.isEmpty()) {
      sessions.end(sessionKey);
    }
    return operator;
  }

  /**
   * Whether a session has not ended and its operator has the same credential and roles; does not
   * count as use.
   */
  public boolean isStillSignedIn(String sessionKey, Operator operator) {
    return sessions.find(sessionKey).filter(operator.credential()::equals).isPresent()
        && operators.isStill(operator);
  }
}
