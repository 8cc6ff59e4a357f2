package gatebook.api.operator.signin;

import gatebook.api.operator.rpc.Operator;
import gatebook.command.rules.KnownOperator.Role;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The identity of an operator, as the operator is shown it.
 *
 * @param node the name of the node that answers
 * @param version of that node
 */
public record OperatorIdentity(String name, List<String> roles, String node, String version) {
  public OperatorIdentity {
    roles = List.copyOf(roles);
  }

  public static OperatorIdentity of(Operator operator, String node, String version) {
    List<String> roles =
        Stream.of(Role.values())
            .filter(operator::has)
            .map(role -> role.name().toLowerCase(Locale.ROOT))
            .toList();
    return new OperatorIdentity(operator.name(), roles, node, version);
  }
}
