package gatebook.api.proof;

import gatebook.api.gateway.BearerToken;
import java.util.HexFormat;
import java.util.Locale;

/** The operators of a node whose console is tested. */
enum ConsoleOperator {
  VIEWER("view"),
  APPROVER("view, arguments, approve"),
  SECOND_APPROVER("view, arguments, approve"),
  ADMIN("view, arguments, approve, admin");

  private final String roles;

  ConsoleOperator(String roles) {
    this.roles = roles;
  }

  /** The name by which the journal knows the operator. */
  String operatorName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String token() {
    return "token-of-the-" + operatorName();
  }

  /** The item of the rules file. */
  String rule() {
    return rule(token());
  }

  /** The item of the rules file with another token. */
  String rule(String token) {
    return "  - {name: %s, token_hash: \"%s\", roles: [%s]}%n"
        .formatted(operatorName(), hash(token), roles);
  }

  static String hash(String token) {
    return "sha256:" + HexFormat.of().formatHex(BearerToken.hash(token).toArray());
  }
}
