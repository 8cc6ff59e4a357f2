package gatebook.api.operator;

import gatebook.api.data.OperatorToken;
import gatebook.api.gateway.BearerToken;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds operators by their tokens: the holder of the node's own token, which has every role, and
 * those of the rules.
 */
final class Operators {
  private final OperatorToken token;
  private final Supplier<List<KnownOperator>> ruleOperators;

  Operators(OperatorToken token, Supplier<List<KnownOperator>> ruleOperators) {
    this.token = token;
    this.ruleOperators = ruleOperators;
  }

  /** Compares the token with those of all operators, even after a match. */
  Optional<Operator> operatorOf(BearerToken bearerToken) {
    KnownOperator nodeOperator = nodeOperator();
    KnownOperator match = null;
    for (KnownOperator candidate : ruleOperators.get()) {
      match = bearerToken.isOf(candidate.tokenHash()) ? candidate : match;
    }
    return Optional.ofNullable(bearerToken.isOf(nodeOperator.tokenHash()) ? nodeOperator : match)
        .map(it -> new Operator(it.name(), it.roles()));
  }

  /** The operator of the node's own token, as the token is now. */
  private KnownOperator nodeOperator() {
    return new KnownOperator("operator", BearerToken.hash(token.text()), EnumSet.allOf(Role.class));
  }
}
