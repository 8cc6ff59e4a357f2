package gatebook.command.rules;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

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

  /** The scopes that callers need at any issuer. */
  public SortedSet<String> scopes() {
    return issuers.stream()
        .flatMap(it -> it.callers().stream())
        .flatMap(it -> it.scopes().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether holders of tokens may call. */
  public boolean hasCallers() {
    return issuers.stream().anyMatch(it -> it.callers().isPresent());
  }
}
