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
 * Who is known by which token: the holder of the node's own, who may do everything, and those of
 * the rules.
 */
final class Operators {
  private final OperatorToken token;
  private final Supplier<List<KnownOperator>> others;

  Operators(OperatorToken token, Supplier<List<KnownOperator>> others) {
    this.token = token;
    this.others = others;
  }

  /** Looks at all of them, also when one was found. */
  Optional<Operator> knownBy(BearerToken shown) {
    KnownOperator owner = owner();
    KnownOperator found = null;
    for (KnownOperator other : others.get()) {
      found = shown.isOf(other.tokenHash()) ? other : found;
    }
    return Optional.ofNullable(shown.isOf(owner.tokenHash()) ? owner : found)
        .map(it -> new Operator(it.name(), it.roles()));
  }

  /** By the token of this moment. */
  private KnownOperator owner() {
    return new KnownOperator("operator", BearerToken.hash(token.text()), EnumSet.allOf(Role.class));
  }
}
