package gatebook.api.cli;

import gatebook.api.data.DataDirectory;
import gatebook.api.data.OperatorToken;
import gatebook.api.node.sharing.OwnerClient;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.operator.client.ServerClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which server is asked, and with what token. */
public final class ServerOptions {

  private static final String USUAL = "http://127.0.0.1:7469";

  private static final long BEGIN_NANOS_MAX = 3_000_000_000L;
  private static final long LOOK_EVERY_NANOS = 100_000_000L;

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

    /**
     * Nobody.
     *
     * @param forNow whether there may be somebody soon
     */
    record Nobody(String sentence, boolean forNow) implements Found {}
  }

  /** Who has the journal that is meant. */
  public sealed interface Holder {
    /**
     * A server, or another process that runs.
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
    return url != null ? server(url) : owner().orElseGet(() -> server(USUAL));
  }

  private Found server(String at) {
    return known(token ->
        ServerClient.of(at, token)
            .orElseThrow(() ->
                new ParameterException(
                    command.commandLine(), "--url takes the URL of a server, as in " + USUAL)));
  }

  private Found known(Function<String, OperatorClient> client) {
    return bearer()
        .<Found>map(token -> new Found.Client(client.apply(token)))
        .orElseGet(() -> new Found.Nobody(unknown(), false));
  }

  private String unknown() {
    return url == null && !DataDirectory.isOne(directory())
        ? noDirectory()
        : "there is no token in %s: give one with --token or GATEBOOK_TOKEN".formatted(directory());
  }

  private String noDirectory() {
    return "%s is no data directory: name one with --data, or a server with --url"
        .formatted(directory());
  }

  /** A server answers at its port, any other process where its members find it. */
  private Optional<Found> answering(DataDirectory.Opening.Held held) {
    return held.adminPort()
        .map(port -> server("http://127.0.0.1:" + port))
        .or(() -> held.rendezvous().map(place -> known(token -> new OwnerClient(place, token))));
  }

  /** Takes the data directory when no server has it; the caller closes it. */
  public Holder holder() {
    if (url != null) {
      return new Holder.Server(server(url), "the server at %s has its journal".formatted(url));
    }
    if (!DataDirectory.isOne(directory())) {
      return new Holder.None(noDirectory());
    }
    return switch (opening()) {
      case DataDirectory.Opening.Refused(var sentence) -> new Holder.None(sentence);
      case DataDirectory.Opening.Opened(var owned) -> new Holder.Own(owned);
      case DataDirectory.Opening.Held held ->
          answering(held)
              .<Holder>map(found -> new Holder.Server(found, held.sentence()))
              .orElseGet(() -> new Holder.None(held.sentence()));
    };
  }

  /** The server that was named, if one was. */
  public Optional<String> url() {
    return Optional.ofNullable(url);
  }

  private String beginning() {
    return "the process that keeps %s has only begun: ask again".formatted(directory());
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

  /** What has just been taken by another process is looked at again until that can be asked. */
  private DataDirectory.Opening opening() {
    long from = System.nanoTime();
    DataDirectory.Opening opening = DataDirectory.open(directory());
    while (opening instanceof DataDirectory.Opening.Held(var port, var place, _)
        && port.isEmpty()
        && place.isEmpty()
        && System.nanoTime() - from < BEGIN_NANOS_MAX
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
      opening = DataDirectory.open(directory());
    }
    return opening;
  }

  private Optional<Found> owner() {
    if (!DataDirectory.isOne(directory())) {
      return Optional.empty();
    }
    return switch (opening()) {
      case DataDirectory.Opening.Held held ->
          answering(held).or(() -> Optional.of(new Found.Nobody(beginning(), true)));
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
