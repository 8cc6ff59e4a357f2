package gatebook.api.ask;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.OperatorToken;
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
  public sealed interface Found {
    record Client(OperatorClient client) implements Found {}

    record Nobody(String sentence) implements Found {}
  }

  /** Who has the journal that is meant. */
  public sealed interface Holder {
    /**
     * A server.
     *
     * @param sentence why the journal is not to be opened here
     */
    record Server(Found asked, String sentence) implements Holder {}

    /** This process, until it closes the directory. */
    record Own(DataDirectory directory) implements Holder {}

    /** Nobody knows, or it is not to be used; the sentence says why. */
    record None(String sentence) implements Holder {}
  }

  Found client() {
    return client(at());
  }

  private Found client(String at) {
    Optional<String> bearer = bearer();
    if (bearer.isEmpty()) {
      return new Found.Nobody(
          "there is no token in %s: give one with --token or GATEBOOK_TOKEN"
              .formatted(directory()));
    }
    return OperatorClient.of(at, bearer.get())
        .<Found>map(Found.Client::new)
        .orElseThrow(() ->
            new ParameterException(
                command.commandLine(), "--url takes the URL of a server, as in " + USUAL));
  }

  /** Takes the data directory when no server has it; the caller closes it. */
  public Holder holder() {
    if (url != null) {
      return new Holder.Server(client(url), "the server at %s has its journal".formatted(url));
    }
    if (!DataDirectory.isOne(directory())) {
      return new Holder.None(
          "%s is no data directory: name one with --data, or a server with --url"
              .formatted(directory()));
    }
    return switch (DataDirectory.open(directory())) {
      case DataDirectory.Opening.Refused(var sentence) -> new Holder.None(sentence);
      case DataDirectory.Opening.Opened(var owned) -> new Holder.Own(owned);
      case DataDirectory.Opening.Held(var adminPort, _, var sentence) ->
          adminPort
              .<Holder>map(port -> new Holder.Server(client(local(port)), sentence))
              .orElseGet(() -> new Holder.None(sentence));
    };
  }

  /** The server that was named, if one was. */
  public Optional<String> url() {
    return Optional.ofNullable(url);
  }

  private static String local(int port) {
    return "http://127.0.0.1:" + port;
  }

  private Optional<String> bearer() {
    return Optional.ofNullable(token)
        .or(() -> Optional.ofNullable(environment.get("GATEBOOK_TOKEN")))
        .or(this::kept);
  }

  private Optional<String> kept() {
    try {
      return Optional.of(OperatorToken.of(directory()).text());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private String at() {
    return url != null ? url : ownersPort().map(ServerOptions::local).orElse(USUAL);
  }

  private Optional<Integer> ownersPort() {
    if (!DataDirectory.isOne(directory())) {
      return Optional.empty();
    }
    return switch (DataDirectory.open(directory())) {
      case DataDirectory.Opening.Held(var adminPort, _, _) -> adminPort;
      case DataDirectory.Opening.Refused _ -> Optional.empty();
      case DataDirectory.Opening.Opened(var owned) -> {
        owned.close(); // nobody runs on it
        yield Optional.empty();
      }
    };
  }

  /** The data directory that is meant, whether or not it is one. */
  public Path directory() {
    return DataDirectory.choose(data, environment);
  }
}
