package gatebook.api.operator.methods;

import gatebook.api.data.OperatorToken;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The method {@code operator.rotateToken}: replaces the token of the node's own operator. */
public final class TokenMethods {
  public static final String ROTATE = "operator.rotateToken";

  private static final Logger LOG = LoggerFactory.getLogger(TokenMethods.class);

  private final OperatorToken token;

  public TokenMethods(OperatorToken token) {
    this.token = token;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            ROTATE,
            "Replaces the token of the node's own operator; the old one is refused at once."
                + " The result names the file that holds the new one.",
            List.of(),
            Set.of(Role.ADMIN),
            false,
            (_, _) -> rotate()));
  }

  private Outcome rotate() {
    try {
      token.rotate();
      return Outcome.answered(Map.of("file", token.file().toAbsolutePath().toString()));
    } catch (IOException e) {
      LOG.error("the operator token could not be written", e);
      return new Outcome.Busy(
          "the token was not changed, since its file cannot be written: see the log of this node");
    }
  }
}
