package gatebook.command.rules.signon;

import java.util.List;
import java.util.Optional;

/** The issuers whose tokens sign callers and operators on. */
public record SignOn(List<TokenIssuer> issuers) {
  /** No issuer. */
  public static final SignOn NONE = new SignOn(List.of());

  public SignOn {
    issuers = List.copyOf(issuers);
  }

  /** The issuer that tokens name so. */
  public Optional<TokenIssuer> issuer(String issuer) {
    return issuers.stream().filter(it -> it.issuer().equals(issuer)).findFirst();
  }

  /** Whether an issuer here knows whom this name is of. */
  public boolean names(String principalName) {
    return issuers.stream().anyMatch(it -> it.names(principalName));
  }

  /** Whether holders of tokens may call. */
  public boolean hasCallers() {
    return issuers.stream().anyMatch(it -> it.callers().isPresent());
  }
}
