package gatebook.api.node;

import gatebook.api.http.ListenAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The settings with which {@code serve} starts a node.
 *
 * @param databaseUrl the database of the journal; empty for segments in {@code data}
 */
record ServeSettings(
    Path data,
    Optional<Path> rules,
    ListenAddress callers,
    ListenAddress admin,
    Optional<String> databaseUrl) {

  /** Why a node must not start with these settings; empty when it may. */
  Optional<String> refusal() {
    return Stream.of(unreadable(), samePort()).flatMap(Optional::stream).findFirst();
  }

  /** Why a node must not listen on these addresses; empty when it may. */
  Optional<String> exposure(BooleanSupplier knowsPrincipals) {
    return exposed(callers).or(() -> exposed(admin)).filter(_ -> !knowsPrincipals.getAsBoolean());
  }

  private Optional<String> unreadable() {
    return rules
        .filter(file -> !(Files.isRegularFile(file) && Files.isReadable(file)))
        .map("cannot read the rules file %s: name another with --config"::formatted);
  }

  private Optional<String> samePort() {
    return callers.port() == admin.port() && callers.port() != 0
        ? Optional.of(
            "callers and operators cannot share port %d: choose another with --admin-port"
                .formatted(admin.port()))
        : Optional.empty();
  }

  /** Without principals every client that reaches the port may call: loopback only. */
  private static Optional<String> exposed(ListenAddress listenAddress) {
    try {
      return Stream.of(InetAddress.getAllByName(listenAddress.host()))
              .allMatch(InetAddress::isLoopbackAddress)
          ? Optional.empty()
          : Optional.of(
              "will not listen on %s, since no principals are configured and any client could call: name principals in the rules file, or use 127.0.0.1"
                  .formatted(listenAddress.host()));
    } catch (UnknownHostException _) {
      return Optional.of(
          "cannot listen on %s, since no such host is known: use 127.0.0.1"
              .formatted(listenAddress.host()));
    }
  }
}
