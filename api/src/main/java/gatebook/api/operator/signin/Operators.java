package gatebook.api.operator.signin;

import gatebook.api.data.OperatorToken;
import gatebook.api.gateway.BearerToken;
import gatebook.api.operator.rpc.Operator;
import gatebook.command.rules.Credential;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.SignOn;
import gatebook.events.call.Bytes;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds operators by their tokens: the holder of the node's own token, which has every role, and
 * those of the rules.
 */
public final class Operators {
  private final OperatorToken token;
  private final Supplier<List<KnownOperator>> ruleOperators;
  private final Supplier<SignOn> signOn;

  public Operators(
      OperatorToken token, Supplier<List<KnownOperator>> ruleOperators, Supplier<SignOn> signOn) {
    this.token = token;
    this.ruleOperators = ruleOperators;
    this.signOn = signOn;
  }

  /** Compares the token with those of all operators, even after a match. */
  public Optional<Operator> operatorOf(BearerToken bearerToken) {
    KnownOperator nodeOperator = nodeOperator();
    KnownOperator match = null;
    for (KnownOperator candidate : ruleOperators.get()) {
      match = bearerToken.isOf(candidate.tokenHash()) ? candidate : match;
    }
    return Optional.ofNullable(bearerToken.isOf(nodeOperator.tokenHash()) ? nodeOperator : match)
        .map(Operators::operator);
  }

  /** The operator with this credential now; empty once it is changed or removed. */
  Optional<Operator> with(Credential credential) {
    return switch (credential) {
      case Credential.Token(Bytes hash) -> withTokenHash(hash);
      case Credential.Certificate _ -> Optional.empty();
      case Credential.SignedToken signedToken -> signedOn(signedToken);
    };
  }

  /** Whom an issuer of the rules knows, unless none of its groups has a role. */
  private Optional<Operator> signedOn(Credential.SignedToken token) {
    return signOn
        .get()
        .issuer(token.issuer())
        .flatMap(issuer ->
            issuer
                .personOf(token.claims())
                .map(name -> new Operator(name, issuer.operatorRoles(token.claims()), token)))
        .filter(operator -> !operator.roles().isEmpty());
  }

  private Optional<Operator> withTokenHash(Bytes tokenHash) {
    KnownOperator nodeOperator = nodeOperator();
    return (nodeOperator.tokenHash().equals(tokenHash)
            ? Optional.of(nodeOperator)
            : ruleOperators.get().stream()
                .filter(it -> it.tokenHash().equals(tokenHash))
                .reduce((_, last) -> last))
        .map(Operators::operator);
  }

  /** Whether the operator has the same credential and roles now. */
  public boolean isStill(Operator operator) {
    return with(operator.credential()).filter(operator::equals).isPresent();
  }

  private static Operator operator(KnownOperator known) {
    return new Operator(known.name(), known.roles(), new Credential.Token(known.tokenHash()));
  }

  /** The operator of the node's own token, as the token is now. */
  private KnownOperator nodeOperator() {
    return new KnownOperator("operator", BearerToken.hash(token.text()), EnumSet.allOf(Role.class));
  }
}
