package gatebook.api.cli.option;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --token}: an operator's token. */
public final class OperatorTokenOption {

  @Option(
      names = "--token",
      paramLabel = "T",
      description =
          "An operator's token (else $GATEBOOK_TOKEN; a command that calls a server then takes that"
              + " of the data directory).")
  private @Nullable String token;

  private final Map<String, String> environment;

  public OperatorTokenOption(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The token that was given as the option or in the environment. */
  public Optional<String> token() {
    return Optional.ofNullable(token)
        .or(() -> Optional.ofNullable(environment.get("GATEBOOK_TOKEN")));
  }
}
