package gatebook.api.operator;

import gatebook.api.data.OperatorToken;
import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** With what the node's own operator is known. */
public final class TokenMethods {
  public static final String ROTATE = "operator.rotateToken";

  private static final Logger LOG = LoggerFactory.getLogger(TokenMethods.class);

  private final OperatorToken token;

  TokenMethods(OperatorToken token) {
    this.token = token;
  }

  List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            ROTATE,
            "Makes another token for the node's own operator; the present one is refused at once."
                + " The answer names the file that has it.",
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
      LOG.error("the operators' token could not be written", e);
      return new Outcome.Busy(
          "the token was not changed, since its file cannot be written: see the log of this node");
    }
  }
}
