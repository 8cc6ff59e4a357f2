package gatebook.api.cli;

import gatebook.api.cli.option.ClientTlsOptions;
import gatebook.api.cli.option.DataOption;
import gatebook.api.cli.option.OperatorTokenOption;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.OperatorToken;
import gatebook.api.http.tls.ClientTls;
import gatebook.api.node.sharing.OwnerClient;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.operator.client.ServerClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select the server to call and the operator's token. */
public final class ServerOptions {

  private static final String URL_DEFAULT = "http://127.0.0.1:7469";

  private static final long START_NANOS_MAX = 3_000_000_000L;
  private static final long POLL_NANOS = 100_000_000L;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create(); // picocli puts the command's own here

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "The server's admin port (else that of the data directory's, " + URL_DEFAULT + ").")
  private @Nullable String url;

  @Mixin private final OperatorTokenOption tokenOption;
  @Mixin private final DataOption dataOption;
  @Mixin private final ClientTlsOptions tlsOptions;

  public ServerOptions(Map<String, String> environment) {
    this.tokenOption = new OperatorTokenOption(environment);
    this.dataOption = new DataOption(environment);
    this.tlsOptions = new ClientTlsOptions(environment);
  }

  /** A client of the selected server, or why there is none. */
  public sealed interface ClientLookup {
    record Client(OperatorClient client) implements ClientLookup {}

    /**
     * There is no process to call.
     *
     * @param mayRetry whether a retry may succeed
     */
    record Unavailable(String sentence, boolean mayRetry) implements ClientLookup {}
  }

  /** The outcome of opening the selected data directory. */
  public sealed interface DirectoryAccess {
    /**
     * A server, or another running process, holds the journal and can be called.
     *
     * @param sentence why the journal is not to be opened here
     */
    record Held(String sentence) implements DirectoryAccess {}

    /** This process owns the directory until it closes it. */
    record Opened(DataDirectory directory) implements DirectoryAccess {}

    /** The directory cannot be used, or its owner is not known; the sentence says why. */
    record Refused(String sentence) implements DirectoryAccess {}
  }

  ClientLookup client() {
    if (url != null) {
      return clientAt(url);
    }
    return DataDirectory.isDataDirectory(directory())
        ? ownerClient().orElseGet(() -> new ClientLookup.Unavailable(notRunning(), true))
        : clientAt(URL_DEFAULT);
  }

  private ClientLookup clientAt(String serverUrl) {
    tlsOptions.mistake().ifPresent(this::misuse);
    return switch (tlsOptions.files().map(ClientTls::read).orElse(null)) {
      case ClientTls.Reading.Refused(var sentence) -> new ClientLookup.Unavailable(sentence, false);
      case ClientTls.Reading.Read(var tls) ->
          clientAt(serverUrl, Optional.of(tls.context().context()));
      case null -> clientAt(serverUrl, Optional.empty());
    };
  }

  private ClientLookup clientAt(String serverUrl, Optional<SSLContext> tls) {
    Optional<String> token = operatorToken();
    return token.isPresent() || tlsOptions.showsCertificate()
        ? new ClientLookup.Client(
            ServerClient.of(serverUrl, token, tls)
                .orElseThrow(
                    () -> misused("--url takes the URL of a server, as in " + URL_DEFAULT)))
        : new ClientLookup.Unavailable(tokenMissing(), false);
  }

  private void misuse(String sentence) {
    throw misused(sentence);
  }

  private ParameterException misused(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  private ClientLookup clientWithToken(Function<String, OperatorClient> client) {
    return operatorToken()
        .<ClientLookup>map(token -> new ClientLookup.Client(client.apply(token)))
        .orElseGet(() -> new ClientLookup.Unavailable(tokenMissing(), false));
  }

  private String tokenMissing() {
    return url == null && !DataDirectory.isDataDirectory(directory())
        ? noDirectory()
        : "there is no token in %s: give one with --token or GATEBOOK_TOKEN".formatted(directory());
  }

  private String noDirectory() {
    return "%s is no data directory: name one with --data, or a server with --url"
        .formatted(directory());
  }

  /** A server answers at its admin port, any other owner process at the address it announced. */
  private Optional<ClientLookup> clientOf(DataDirectory.Opening.Held held) {
    return held.adminPort()
        .map(port -> clientAt("http://127.0.0.1:" + port))
        .or(() ->
            held.ownerAddress()
                .map(address -> clientWithToken(token -> new OwnerClient(address, token))));
  }

  /** Opens the data directory unless a server holds it; the caller closes it. */
  public DirectoryAccess openDirectory() {
    if (url != null) {
      return new DirectoryAccess.Held("the server at %s has its journal".formatted(url));
    }
    if (!DataDirectory.isDataDirectory(directory())) {
      return new DirectoryAccess.Refused(noDirectory());
    }
    return switch (openWhenReachable()) {
      case DataDirectory.Opening.Refused(var sentence) -> new DirectoryAccess.Refused(sentence);
      case DataDirectory.Opening.Opened(var owned) -> new DirectoryAccess.Opened(owned);
      case DataDirectory.Opening.Held held ->
          held.isReachable()
              ? new DirectoryAccess.Held(held.sentence())
              : new DirectoryAccess.Refused(held.sentence());
    };
  }

  /**
   * A client of the process that has the journal; empty when none has it, and it can be read in the
   * data directory. Nothing is changed there.
   */
  Optional<ClientLookup> journalOwner() {
    if (url != null) {
      return Optional.of(clientAt(url));
    }
    return DataDirectory.isDataDirectory(directory())
        ? ownerClient()
        : Optional.of(new ClientLookup.Unavailable(noDirectory(), false));
  }

  /** The URL of the server, if one was given. */
  public Optional<String> url() {
    return Optional.ofNullable(url);
  }

  private String ownerStarting() {
    return "the process that owns %s is still starting: try again".formatted(directory());
  }

  private Optional<String> operatorToken() {
    return tokenOption.token().or(this::storedToken);
  }

  private Optional<String> storedToken() {
    try {
      return Optional.of(OperatorToken.read(directory()).text());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private DataDirectory.Opening openWhenReachable() {
    return ownerWhenReachable()
        .<DataDirectory.Opening>map(held -> held)
        .orElseGet(() -> DataDirectory.open(directory()));
  }

  /**
   * The process that holds the data directory, in which nothing is changed. When it has just
   * started, this polls until it can be called.
   */
  private Optional<DataDirectory.Opening.Held> ownerWhenReachable() {
    long startNanos = System.nanoTime();
    Optional<DataDirectory.Opening.Held> owner = DataDirectory.owner(directory());
    while (owner.isPresent()
        && !owner.get().isReachable()
        && System.nanoTime() - startNanos < START_NANOS_MAX
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(POLL_NANOS);
      owner = DataDirectory.owner(directory());
    }
    return owner;
  }

  /**
   * A client of the process that uses the data directory; empty when none does. Its token is for
   * that process only, and nothing is changed in the directory.
   */
  private Optional<ClientLookup> ownerClient() {
    return ownerWhenReachable()
        .map(held ->
            clientOf(held).orElseGet(() -> new ClientLookup.Unavailable(ownerStarting(), true)));
  }

  /** Where browsers reach the console of the process that uses the data directory by TLS. */
  Optional<String> consoleUrl() {
    return ownerWhenReachable().flatMap(DataDirectory.Opening.Held::consoleUrl);
  }

  private String notRunning() {
    return "no process uses %s: start a node with gatebook serve --data %s, or name one with --url"
        .formatted(directory(), directory());
  }

  /** The selected data directory, whether or not it exists. */
  public Path directory() {
    return dataOption.directory();
  }
}
