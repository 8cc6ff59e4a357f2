package gatebook.api.cli.option;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --principal}: the caller whose calls a query returns. */
public final class PrincipalOption {

  @Option(
      names = "--principal",
      paramLabel = "P",
      description = "Only calls of this principal, or their events.")
  private @Nullable String principal;

  public Optional<String> name() {
    return Optional.ofNullable(principal);
  }
}
