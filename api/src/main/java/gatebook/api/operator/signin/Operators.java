package gatebook.api.operator.signin;

import gatebook.api.data.OperatorToken;
import gatebook.api.gateway.BearerToken;
import gatebook.api.operator.rpc.Operator;
import gatebook.command.rules.Credential;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.SignOn;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds operators by their credentials: the holder of the node's own token, which has every role,
 * and those of the rules. Of a token only the hash is compared, of which nobody can choose a part.
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

  public Optional<Operator> operatorOf(BearerToken bearerToken) {
    return with(new Credential.Token(bearerToken.hash()));
  }

  /** The operator of the first of the names in a certificate that is one's. */
  Optional<Operator> operatorOf(List<Credential.Certificate> names) {
    return names.stream().flatMap(it -> with(it).stream()).findFirst();
  }

  /** The operator with this credential now; empty once it is changed or removed. */
  Optional<Operator> with(Credential credential) {
    return credential instanceof Credential.SignedToken token
        ? signedOn(token)
        : Stream.concat(ruleOperators.get().stream(), Stream.of(nodeOperator()))
            .filter(it -> it.credentials().contains(credential))
            .reduce((_, last) -> last)
            .map(it -> new Operator(it.name(), it.roles(), credential));
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

  /** Whether the operator has the same credential and roles now. */
  public boolean isStill(Operator operator) {
    return with(operator.credential()).filter(operator::equals).isPresent();
  }

  /** The operator of the node's own token, as the token is now. */
  private KnownOperator nodeOperator() {
    return new KnownOperator("operator", BearerToken.hash(token.text()), EnumSet.allOf(Role.class));
  }
}
