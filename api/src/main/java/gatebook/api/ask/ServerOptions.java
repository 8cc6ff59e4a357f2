package gatebook.api.ask;

import gatebook.api.data.DataDirectory;
import gatebook.api.operator.OperatorClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which server is asked, and with what token. */
public final class ServerOptions {

  private static final String USUAL = "http://127.0.0.1:7469";

  private final Map<String, String> environment;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create(); // picocli puts the command's own here

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The server's admin port (else that of the data directory's, " + USUAL + ").")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "T",
      description = "The operator's token (else $GATEBOOK_TOKEN, that of the data directory).")
  private @Nullable String token;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The data directory (else $GATEBOOK_DATA, ./gatebook-data).")
  private @Nullable Path data;

  public ServerOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Either who can be asked, or why nobody can. */
  sealed interface Found {
    record Client(OperatorClient client) implements Found {}

    record Nobody(String sentence) implements Found {}
  }

  Found client() {
    Optional<String> bearer = bearer();
    if (bearer.isEmpty()) {
      return new Found.Nobody(
          "there is no token in %s: give one with --token or GATEBOOK_TOKEN"
              .formatted(directory()));
    }
    return OperatorClient.of(at(), bearer.get())
        .<Found>map(Found.Client::new)
        .orElseThrow(() ->
            new ParameterException(
                command.commandLine(), "--url takes the URL of a server, as in " + USUAL));
  }

  private Optional<String> bearer() {
    return Optional.ofNullable(token)
        .or(() -> Optional.ofNullable(environment.get("GATEBOOK_TOKEN")))
        .or(this::kept);
  }

  private Optional<String> kept() {
    try {
      return Optional.of(DataDirectory.operatorToken(directory()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private String at() {
    return url != null ? url : ownersPort().map(port -> "http://127.0.0.1:" + port).orElse(USUAL);
  }

  private Optional<Integer> ownersPort() {
    if (!DataDirectory.isOne(directory())) {
      return Optional.empty();
    }
    return switch (DataDirectory.open(directory())) {
      case DataDirectory.Opening.Held(var adminPort, _) -> adminPort;
      case DataDirectory.Opening.Refused _ -> Optional.empty();
      case DataDirectory.Opening.Opened(var owned) -> {
        owned.close(); // nobody runs on it
        yield Optional.empty();
      }
    };
  }

  private Path directory() {
    return DataDirectory.choose(data, environment);
  }
}
