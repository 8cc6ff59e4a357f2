package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.signin.ConsoleSignIn;
import gatebook.api.operator.signin.OperatorIdentity;
import gatebook.api.operator.signin.SignInCodes;
import gatebook.command.rules.KnownOperator.Role;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The methods of signing in: {@code operator.whoami} and {@code operator.consoleLink}. They need no
 * particular role.
 */
public final class SignInMethods {
  private static final Set<Role> ANY_ROLE = EnumSet.allOf(Role.class);

  private final Function<Operator, OperatorIdentity> identities;
  private final ConsoleSignIn consoleSignIn;

  public SignInMethods(
      Function<Operator, OperatorIdentity> identities, ConsoleSignIn consoleSignIn) {
    this.identities = identities;
    this.consoleSignIn = consoleSignIn;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "operator.whoami",
            "The name and the roles of the operator who asks, and the node that answers.",
            List.of(),
            ANY_ROLE,
            false,
            (_, operator) -> Outcome.answered(identities.apply(operator))),
        new OperatorMethod(
            "operator.consoleLink",
            "Creates a code with which the operator who asks can sign in to the console, once and"
                + " soon. The link is the console's address with #code= and the code.",
            List.of(),
            ANY_ROLE,
            false,
            (_, operator) -> Outcome.answered(code(operator))));
  }

  private Map<String, Object> code(Operator operator) {
    SignInCodes.SignInCode issued = consoleSignIn.issueCode(operator);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("code", issued.code());
    members.put("expiresAt", issued.expiresAt().toString());
    return members;
  }
}
